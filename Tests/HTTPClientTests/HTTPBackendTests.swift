import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientEmbedded
@testable import HTTPClientImplementation

/// The two backends: one table of requests, and one list of answers for both.
@Suite(.timeLimit(.minutes(1)))
struct HTTPBackendTests {
    @Test func embeddedBackend_answersAsTheTableSays() async throws {
        try await expectTable(from: EmbeddedClient())
    }

    @Test @MainActor func embeddedBackend_withTheStateOfAnother_knowsItsSessionsAndChanges() async throws {
        let first = EmbeddedClient()
        let ann = try await HTTP.Secret(token(of: "ann", from: first))
        let body = Data(#"{"displayName":"Anna"}"#.utf8)
        _ = try await first.send(HTTP.Request(.put, "users", "ann", token: ann, body: body))
        let second = EmbeddedClient()
        second.restore(try #require(first.savedState))
        let answer = try await second.send(HTTP.Request(.get, "users", "ann", token: ann))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Anna"))
        #expect(try await token(of: "ann", from: second) != ann.value)
    }

    @Test func backendScript_answersAsTheTableSays_andEndsCleanly() async throws {
        let status = try await BackendProcess.run { url in
            try await expectTable(from: URLSessionClient.forTests(url))
        }
        #expect(status == 0)
    }

    @Test func backendScript_thatIsSlow_timesOut() async throws {
        try await BackendProcess.run(["--delay", "30"]) { url in
            let limits = TransferLimits(timeout: .milliseconds(300), attempts: 1)
            let client = try URLSessionClient.forTests(url, limits: limits)
            #expect(await failure(of: client, HTTP.Request(.get, "users", "ann")) == .timedOut(seconds: 0.3))
        }
    }

    private func expectTable(from client: any HTTP.Client) async throws {
        let ann = try await token(of: "ann", from: client)
        let other = try await token(of: "ann", from: client)
        let tokens = [
            Caller.nobody: nil, .wrong: "wrong", .ann: ann, .bob: try await token(of: "bob", from: client),
        ]
        #expect(ann != other)
        for row in table {
            let secret = tokens[row.caller].flatMap { $0 }.map(HTTP.Secret.init)
            let request = HTTP.Request(
                row.method, path: row.path, token: secret, body: row.body.map { Data($0.utf8) })
            let answer = try await answer(to: request, from: client)
            #expect(answer.status == row.status, "\(row)")
            #expect(try json(answer.body) == json(row.answer), "\(row)")
        }
        // Signing out ends one session and leaves the others.
        let stillIn = HTTP.Request(.get, "users", "bob", token: HTTP.Secret(other))
        #expect(try await answer(to: stillIn, from: client).status == 200)
    }

    private func token(of user: String, from client: any HTTP.Client) async throws -> String {
        let body = Data(#"{"user":"\#(user)","password":"secret"}"#.utf8)
        let response = try await client.send(HTTP.Request(.post, "session", body: body))
        let answer = try response.decoded(as: [String: String].self)
        #expect(answer["user"] == user)
        return try #require(answer["token"])
    }

    /// The status and body, whether they were returned or thrown.
    private func answer(
        to request: HTTP.Request, from client: any HTTP.Client
    ) async throws -> (status: Int, body: String) {
        do {
            let response = try await client.send(request)
            return (response.status, String(decoding: response.body, as: UTF8.self))
        } catch HTTP.Failure.status(let status, let body) {
            return (status, body)
        }
    }

    private func json(_ text: String) throws -> NSDictionary? {
        text.isEmpty ? nil : try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    }
}

private enum Caller {
    case nobody, wrong, ann, bob
}

private struct Row {
    let caller: Caller
    let method: HTTP.Method
    let path: [String]
    let body: String?
    let status: Int
    let answer: String

    init(
        _ caller: Caller, _ method: HTTP.Method, _ path: [String], _ body: String?, _ status: Int,
        _ answer: String
    ) {
        (self.caller, self.method, self.path, self.body) = (caller, method, path, body)
        (self.status, self.answer) = (status, answer)
    }

    /// A row whose answer is an error.
    init(
        _ caller: Caller, _ method: HTTP.Method, _ path: [String], _ body: String?, _ status: Int,
        error: String
    ) {
        self.init(caller, method, path, body, status, #"{"error":"\#(error)"}"#)
    }

    /// A row without a body, whose answer is an error.
    init(_ caller: Caller, _ method: HTTP.Method, _ path: [String], _ status: Int, error: String) {
        self.init(caller, method, path, nil, status, error: error)
    }
}

private let session = ["session"]
private let ann = ["users", "ann"]
private let bob = ["users", "bob"]
private let nobody = ["users", "x/../'ä"]
private let links =
    #"[{"title":"Profile of bob","link":"profile.overview|{\"user\":\"bob\"}"},"#
    + #"{"title":"Edit the profile of ann","link":"profile.editor|{\"user\":\"ann\"}"}]"#
private let family = "👩‍👩‍👧‍👦"  // seven Unicode scalars
private let families = String(repeating: family, count: 5) + "abcde"
private let wrong = "The user name or the password is wrong."
private let malformedSession = "The body must be a JSON object with the texts 'user' and 'password'."
private let malformedName = "The body must be a JSON object with the text 'displayName'."
private let tooLong = "The display name must have at most 40 characters."
private let forty = String(repeating: "é", count: 40)

/// The requests in order; each row may rely on those before it.
private let table = [
    Row(.nobody, .post, session, #"{"user":"ann","password":"Secret"}"#, 401, error: wrong),
    Row(.nobody, .post, session, #"{"user":"eve","password":"secret"}"#, 401, error: wrong),
    Row(.nobody, .post, session, #"{"user":"ann"}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":"ann","password":null}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":1,"password":"secret"}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":"ann","password":"\ud800"}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"["user","password"]"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":"ann""#, 400, error: malformedSession),
    Row(.nobody, .post, session, "", 400, error: malformedSession),
    Row(.nobody, .post, session, nil, 400, error: malformedSession),
    Row(.nobody, .get, session, 405, error: "This address does not take GET."),
    Row(.ann, .put, session, "{}", 405, error: "This address does not take PUT."),
    Row(.ann, .post, ann, "{}", 405, error: "This address does not take POST."),
    Row(.ann, .delete, ann, 405, error: "This address does not take DELETE."),
    Row(.ann, .get, ["users"], 404, error: "There is nothing at this address."),
    Row(.ann, .get, ["users", "ann", "links"], 404, error: "There is nothing at this address."),
    Row(.ann, .get, ["session", "ann"], 404, error: "There is nothing at this address."),
    Row(.nobody, .get, ["users/ann"], 404, error: "There is nothing at this address."),

    Row(.nobody, .get, ann, 401, error: "Sign in first."),
    Row(.wrong, .get, ann, 401, error: "Sign in first."),
    Row(.nobody, .get, nobody, 401, error: "Sign in first."),
    Row(.ann, .get, nobody, 404, error: "There is no user 'x/../'ä'."),
    Row(.ann, .get, ann, nil, 200, #"{"id":"ann","displayName":"Ann Example","links":\#(links)}"#),
    Row(
        .ann, .get, bob, nil, 200,
        #"{"id":"bob","displayName":"Bob Builder","links":"#
            + #"[{"title":"Profile of ann","link":"profile.overview|{\"user\":\"ann\"}"}]}"#),

    Row(.nobody, .put, ann, #"{"displayName":"A"}"#, 401, error: "Sign in first."),
    Row(.bob, .put, ann, #"{"displayName":"A"}"#, 403, error: "You can change only your own profile."),
    Row(.bob, .put, ann, "", 403, error: "You can change only your own profile."),
    Row(.ann, .put, nobody, #"{"displayName":"A"}"#, 404, error: "There is no user 'x/../'ä'."),
    Row(.ann, .put, ann, #"{"name":"A"}"#, 400, error: malformedName),
    Row(.ann, .put, ann, #"{"displayName":NaN}"#, 400, error: malformedName),
    Row(
        .ann, .put, ann, #"{"displayName":" \n\u2003\t"}"#, 422, error: "The display name must not be empty."),
    Row(.ann, .put, ann, #"{"displayName":"\#(forty)x"}"#, 422, error: tooLong),
    Row(.ann, .put, ann, #"{"displayName":"\#(families)f"}"#, 422, error: tooLong),
    Row(
        .ann, .put, ann, #"{"displayName":"\#(families)"}"#, 200,
        #"{"id":"ann","displayName":"\#(families)","links":\#(links)}"#),
    Row(
        .ann, .put, ann, #"{"displayName":"  \#(forty)\u00a0"}"#, 200,
        #"{"id":"ann","displayName":"\#(forty)","links":\#(links)}"#),
    Row(
        .ann, .put, ann, #"{"displayName":" A \"B\" 👩‍👩‍👧 "}"#, 200,
        #"{"id":"ann","displayName":"A \"B\" 👩‍👩‍👧","links":\#(links)}"#),
    Row(
        .bob, .get, ann, nil, 200, #"{"id":"ann","displayName":"A \"B\" 👩‍👩‍👧","links":\#(links)}"#),

    Row(.nobody, .delete, session, 401, error: "Sign in first."),
    Row(.wrong, .delete, session, 401, error: "Sign in first."),
    Row(.ann, .delete, session, nil, 204, ""),
    Row(.ann, .delete, session, 401, error: "Sign in first."),
    Row(.ann, .get, ann, 401, error: "Sign in first."),
]
