import Foundation
import HTTPClientInterface
import HTTPClientTesting
import RouterServiceInterface
import StorageTesting
import Testing

@testable import HTTPClientEmbedded
@testable import HTTPClientImplementation

/// The backend inside the program and the same over HTTP: one list of requests, and one response to each from both.
@Suite(.timeLimit(.minutes(5)))
struct HTTPBackendTests {
    @Test(arguments: BackendTable.all)
    func embeddedBackend_respondsAsTheTableSays(table: BackendTable) async throws {
        try await expect(table, from: EmbeddedClient(stores: FakeStores(), drawVersion: counting()))
    }

    @Test(arguments: BackendTable.all)
    func server_respondsAsTheTableSays(table: BackendTable) async throws {
        let limits = TransferLimits(timeout: .seconds(50))
        try await serve { try await expect(table, from: URLSessionClient.forTests($0, limits: limits)) }
    }

    @Test func server_thatIsSlow_timesOut() async throws {
        try await serve(delivering: [.delayed]) { url in
            let limits = TransferLimits(timeout: .milliseconds(300))
            let client = try URLSessionClient.forTests(url, limits: limits)
            #expect(
                await failure(of: client, HTTP.Request(.get, ["users", "ann"])) == .timedOut(seconds: 0.3))
        }
    }

    /// Of ten requests three fail, one of them after it was fulfilled; the user sends these again.
    @Test func saves_onABadNetwork_areNeitherLostNorDoubled() async throws {
        let bad =
            [
                .delivered, .delivered, .responseLost, .delivered, .requestLost, .delivered, .delivered,
                .unavailable, .delivered,
                .delivered,
            ] as [Delivery]
        let requests = try await serve(delivering: bad) { url in
            let client = try URLSessionClient.forTests(url)
            func send(_ request: HTTP.Request) async throws -> HTTP.Response {
                for _ in 1...20 {
                    if let response = try? await client.send(request) { return response }
                }
                return try await client.send(request)
            }
            let ann = try await token(of: "ann", from: client)
            for number in 1...20 {
                let id = UUID().uuidString
                var body = Data(#"{"title":"\#(number)","text":"draft"}"#.utf8)
                let saved = try await send(
                    HTTP.Request(.put, ["notes", id], token: ann, condition: .absent, body: body))
                let version = try saved.decoded(as: PageNote.self).version
                body = Data(#"{"title":"\#(number)","text":"final"}"#.utf8)
                _ = try await send(
                    HTTP.Request(.put, ["notes", id], token: ann, condition: .version(version), body: body))
            }
            let list = try await send(HTTP.Request(.get, ["notes"], token: ann))
            let notes = try list.decoded(as: NotesPage.self).notes
            #expect(notes.map(\.title) == (1...20).map { "\($0)" })
            #expect(notes.allSatisfy { $0.text == "final" })
            // Two versions each, so no save was done twice.
            #expect(notes.last?.version == "40")
        }
        for condition in ["if-none-match", "if-match"] {
            let lost = requests.filter { $0.delivery == .responseLost && $0.request.contains(condition) }
            #expect(!lost.isEmpty, "responses to saves with \(condition) were lost")
        }
    }

    private func expect(_ table: BackendTable, from client: any HTTP.Client) async throws {
        let ann = try await token(of: "ann", from: client)
        let other = try await token(of: "ann", from: client)
        let tokens = [
            BackendTable.Caller.nobody: nil, .wrong: "wrong", .ann: ann,
            .bob: try await token(of: "bob", from: client),
        ]
        #expect(ann != other)
        for row in table.rows {
            let request = HTTP.Request(
                row.method, row.path, query: row.query, token: tokens[row.caller].flatMap { $0 },
                condition: row.condition,
                body: row.body.map { Data($0.utf8) })
            let response = try await response(to: request, from: client)
            #expect(response.status == row.status, "\(row)")
            #expect(
                try json(
                    response.body.replacing(date, with: #""DATE""#)
                        .replacing(server, with: #""server":"SERVER""#)
                        .replacing(/"position":"[0-9a-f]+-\d+"/, with: #""position":"P""#))
                    == json(row.response),
                "\(row)")
        }
        // Signing out ends one session and leaves the others.
        let stillIn = HTTP.Request(.get, ["users", "bob"], token: other)
        #expect(try await response(to: stillIn, from: client).status == 200)
    }

    /// A date with milliseconds.
    private var date: some RegexComponent { /"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ"/ }

    private var server: some RegexComponent {
        /"server":"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"/
    }

    private func token(of user: String, from client: any HTTP.Client) async throws -> String {
        let body = Data(#"{"user":"\#(user)","password":"secret"}"#.utf8)
        let response = try await client.send(HTTP.Request(.post, ["session"], body: body))
        let session = try response.decoded(as: [String: String].self)
        #expect(session["user"] == user)
        return try #require(session["token"])
    }

    /// The status and body, whether they were returned or thrown.
    private func response(
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

/// A page of changes.
struct NotesPage: Decodable {
    let server: UUID
    let notes: [PageNote]
    let deleted: [PageDeletion]
    let position: String
    let hasMore: Bool
}

struct PageNote: Decodable {
    let id, title, text: String
    let version: String
    let former: [String]
}

struct PageDeletion: Decodable {
    let id: String
    let former: [String]
}
