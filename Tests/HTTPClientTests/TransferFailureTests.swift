import Foundation
import HTTPClientInterface
import Testing

@testable import HTTPClientImplementation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The texts for users of Foundation's errors.
struct TransferFailureTests {
    private static let codes: [URLError.Code] = [
        .unknown, .cancelled, .badURL, .timedOut, .unsupportedURL, .cannotFindHost, .cannotConnectToHost,
        .networkConnectionLost, .dnsLookupFailed, .httpTooManyRedirects, .resourceUnavailable,
        .notConnectedToInternet, .redirectToNonExistentLocation, .badServerResponse, .zeroByteResource,
        .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse, .secureConnectionFailed,
        .serverCertificateUntrusted, .clientCertificateRequired, .dataLengthExceedsMaximum,
    ]

    @Test(arguments: codes)
    func noErrorOfFoundation_isShownAsANumber(code: URLError.Code) {
        for hasBegun in [false, true] {
            let failure = HTTP.Failure(
                URLError(code), at: "host", hasBegun: hasBegun, limits: TransferLimits())
            let text = failure.errorDescription ?? ""
            #expect(!text.contains(/\d/) || code == .timedOut, "\(text)")
        }
    }
}
