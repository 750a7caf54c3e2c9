import Foundation
import HTTPClientInterface

/// The reason why a request is not fulfilled, and the body of the response.
struct Refusal: LocalizedError, Encodable {
    let status: Int
    let error: String
    var note: EmbeddedNote?

    var errorDescription: String? { error }

    private enum CodingKeys: CodingKey {
        case error, note
    }

    init(_ status: Int, _ error: String, note: EmbeddedNote? = nil) {
        self.status = status
        self.error = error
        self.note = note
    }

    var response: HTTP.Response { .json(self, status: status) }

    static func malformed(_ message: String) -> Refusal { Refusal(400, message) }

    static let otherSite = Refusal(403, "Pages of other web sites may send nothing.")
    static let unknownPath = Refusal(404, "There is nothing at this address.")

    static func unknownNote(_ id: String) -> Refusal { Refusal(404, "There is no note '\(id)'.") }

    static func methodNotAllowed(_ method: String) -> Refusal {
        Refusal(405, "This address does not support \(method).")
    }

    static let slow = Refusal(
        408, "The request must arrive within \(LoopbackConnection.patience.components.seconds) seconds.")
    static let unknownLength = Refusal(411, "The body must come with a Content-Length.")

    static func changedMeanwhile(_ note: EmbeddedNote) -> Refusal {
        Refusal(412, "The note was changed meanwhile.", note: note)
    }

    static let largeBody = Refusal(
        413, "A request must have at most \(ReceivedRequest.maximumBytes) bytes.")
    static let otherHost = Refusal(421, "The host must be 'localhost', '127.0.0.1' or '[::1]'.")

    static func tooLong(_ what: String, limit: Int) -> Refusal {
        Refusal(422, "The \(what) must have at most \(limit) characters.")
    }

    static let largeHead = Refusal(
        431, "The head of a request must have at most \(ReceivedRequest.maximumHeadBytes) bytes.")

    static func unavailable(_ reason: String) -> Refusal { Refusal(503, reason) }

    static func unreadableConfiguration(in file: String, reason: String) -> Refusal {
        Refusal(503, "The configuration in \(file) cannot be read: \(reason).")
    }
}

extension HTTP.Response {
    static func json(_ value: some Encodable, status: Int = 200) -> HTTP.Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only strings, and lists and objects of strings, are encoded, which cannot fail.
        return HTTP.Response(status: status, body: (try? encoder.encode(value)) ?? Data())
    }
}
