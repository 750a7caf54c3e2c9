import Foundation
import HTTPClientInterface
import HTTPClientServer
import RouterServiceInterface

/// The reason why a request is not fulfilled; encoded, the answer's body.
struct Refusal: LocalizedError, Encodable {
    let status: Int
    let error: String
    var note: EmbeddedNote?

    var errorDescription: String? { error }

    private enum CodingKeys: CodingKey {
        case error, note
    }

    private init(_ status: Int, _ error: String, note: EmbeddedNote? = nil) {
        self.status = status
        self.error = error
        self.note = note
    }

    /// The answer, with the version of the note that is in the way.
    var response: HTTP.Response { .json(self, status: status, version: note?.version) }

    static let wrongCredentials = Refusal(401, "The user name or the password is wrong.")
    static let notSignedIn = Refusal(401, "Sign in first.")
    static let notYours = Refusal(403, "You can change only your own profile.")
    static let unknownPath = Refusal(404, "There is nothing at this address.")
    static let emptyName = Refusal(422, "The display name must not be empty.")
    static let noUUID = Refusal(422, "The id of a note must be a UUID.")
    static let saveWithoutCondition = Refusal(
        428, "A note is saved with 'If-None-Match: *' when it is new, otherwise with 'If-Match'.")
    static let deletionWithoutCondition = Refusal(428, "A note is deleted with 'If-Match'.")

    static func malformed(needs: String) -> Refusal {
        Refusal(400, "The body must be a JSON object with \(needs).")
    }

    static func noNumber(_ name: String, upTo most: Int) -> Refusal {
        Refusal(400, "'\(name)' must be a number from 1 to \(most).")
    }

    static func unknownUser(_ id: String) -> Refusal { Refusal(404, "There is no user '\(id)'.") }

    static func unknownNote(_ id: String) -> Refusal { Refusal(404, "There is no note '\(id)'.") }

    static func methodNotAllowed(_ method: String) -> Refusal {
        Refusal(405, "This address does not support \(method).")
    }

    static func changedMeanwhile(_ note: EmbeddedNote) -> Refusal {
        Refusal(412, "The note was changed meanwhile.", note: note)
    }

    static func tooLong(_ what: String, limit: Int) -> Refusal {
        Refusal(422, "The \(what) must have at most \(limit) characters.")
    }

    static func rejected(_ request: RejectedRequest) -> Refusal { Refusal(request.status, request.message) }

    static func unavailable(_ reason: String) -> Refusal { Refusal(503, reason) }

    static func unreadableConfiguration(in file: String, reason: String) -> Refusal {
        Refusal(503, "The configuration in \(file) cannot be read: \(reason).")
    }
}

extension HTTP.Response {
    static func json(_ value: some Encodable, status: Int = 200, version: Identifier? = nil) -> HTTP.Response
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only strings, and lists and objects of strings, are encoded, which cannot fail.
        return HTTP.Response(status: status, body: (try? encoder.encode(value)) ?? Data(), version: version)
    }
}
