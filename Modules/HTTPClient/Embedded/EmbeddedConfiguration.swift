import Foundation
import HTTPClientInterface
import RouterServiceInterface

/// The configuration of flags and rules, which decides nothing: the one of `scripts/backend` without a file.
enum EmbeddedConfiguration {
    static let path = ["configuration"]
    private static let text = #"{"flags":{},"rules":[]}"#
    /// The same as that of `scripts/backend`, which hashes the text.
    private static let version: Identifier = "9fd1bb4a48549e88"

    static func answer(to request: HTTP.Request) -> HTTP.Response {
        guard request.condition != .changed(since: version) else {
            return HTTP.Response(status: 304, body: Data(), version: version)
        }
        return HTTP.Response(status: 200, body: Data(text.utf8), version: version)
    }
}
