import Foundation
import HTTPClientInterface

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTP.Failure {
    /// Translates Foundation's error for a request.
    ///
    /// Foundation's own texts differ between platforms, and some are numbers; the usual causes have texts here.
    ///
    /// - Parameters:
    ///   - error: The error that the session reported.
    ///   - address: The server's host and port.
    ///   - hasBegun: Whether the head of an answer had arrived.
    ///   - limits: The client's limits.
    init(_ error: URLError, at address: String, hasBegun: Bool, limits: TransferLimits) {
        self =
            switch error.code {
            case .timedOut: .timedOut(seconds: limits.timeoutSeconds)
            case .cannotConnectToHost: .unreachable(reason: "nothing answers at \(address)")
            case .cannotFindHost, .dnsLookupFailed: .unreachable(reason: "no server is known as \(address)")
            case .networkConnectionLost: .unreachable(reason: "the connection was lost")
            // Linux has no number for a connection that ends before the body does.
            case .unknown where hasBegun: .unreachable(reason: "the connection was lost")
            case .notConnectedToInternet: .unreachable(reason: "this computer is offline")
            // The address was checked before, so an unsupported protocol is the server's (Linux).
            case .badServerResponse, .cannotParseResponse, .unsupportedURL:
                .unreachable(reason: "\(address) sent an invalid response")
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
                .unreachable(reason: "no secure connection to \(address) is possible")
            case .httpTooManyRedirects, .redirectToNonExistentLocation:
                .unreachable(reason: "\(address) redirects without end")
            default: .unreachable(reason: "the connection to \(address) failed")
            }
    }
}
