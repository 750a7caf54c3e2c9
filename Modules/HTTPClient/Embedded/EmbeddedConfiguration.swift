import Foundation
import HTTPClientInterface

/// The configuration of flags and rules: the present text of a file, or a configuration that decides nothing.
struct EmbeddedConfiguration: Sendable {
    static let path = ["configuration"]

    var file: String?

    func text() throws(Refusal) -> Data {
        guard let file else { return Data(#"{"flags":{},"rules":[]}"#.utf8) }
        // Opening a pipe does not wait for a writer.
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
