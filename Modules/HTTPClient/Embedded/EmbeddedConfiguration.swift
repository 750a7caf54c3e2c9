import Foundation
import HTTPClientInterface

/// The configuration of flags and rules: a file as it is at the moment, or one that decides nothing.
struct EmbeddedConfiguration: Sendable {
    static let path = ["configuration"]

    /// The path of the file, if there is one.
    var file: String?

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
}
