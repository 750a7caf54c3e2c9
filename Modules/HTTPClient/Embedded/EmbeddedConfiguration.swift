import Foundation
import HTTPClientInterface
import RouterServiceInterface

/// The configuration of flags and rules: a file as it is at the moment, or one that decides nothing.
struct EmbeddedConfiguration: Sendable {
    static let path = ["configuration"]

    /// The path of the file, if there is one.
    var file: String?

    func answer(to request: HTTP.Request) throws(Refusal) -> HTTP.Response {
        let text = try text()
        let version = Self.version(of: text)
        let isKnown = request.condition == .changed(since: version)
        return HTTP.Response(status: isKnown ? 304 : 200, body: isKnown ? Data() : text, version: version)
    }

    /// The text, which the App checks, and shows a mistake in.
    func text() throws(Refusal) -> Data {
        guard let file else { return Data(#"{"flags":{},"rules":[]}"#.utf8) }
        // A pipe is not waited for.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .unreadableConfiguration(in: file, reason: String(cString: strerror(errno)))
        }
        do {
            return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
        } catch {
            throw .unreadableConfiguration(in: file, reason: "it is not a file")
        }
    }

    /// A hash of the text: FNV-1a with 64 bits (RFC 9923), because Foundation for Linux has none that is the same in each run.
    private static func version(of text: Data) -> Identifier {
        let hash = text.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Identifier(String(hash, radix: 16))
    }
}
