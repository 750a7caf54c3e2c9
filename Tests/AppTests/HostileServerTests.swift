import DisplayTesting
import Foundation
import HTTPClientTesting
import Testing

/// The worst responses of a server: the App shows the error, obeys no character of them, and can be left.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HostileServerTests {
    private let folder = DataFolder()

    /// A response to the request for the profile, and the text that the user reads then.
    struct Response: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let script: [ScriptedServer.Step]
        let text: String

        init(_ name: String, _ script: [ScriptedServer.Step], shows text: String) {
            (testDescription, self.script, self.text) = (name, script, text)
        }
    }

    nonisolated private static let signedIn = [ScriptedServer.Step].response(
        200, #"{"user":"ann","token":"t"}"#)
    nonisolated private static let page = "<html>" + String(repeating: "<b>Bad</b>", count: 5000)
    nonisolated private static let controls =
        #"\u001b[2J\u001b[31m\u0007\u009b1A\u202e\u200e\u0600evil\u0000"#

    nonisolated private static func profile(
        _ name: String, id: String = "ann", links: [String] = []
    ) -> [ScriptedServer.Step] {
        let links = links.map { #"{"title":"\#($0)","link":"badges.list|{}"}"# }.joined(separator: ",")
        return .response(200, #"{"id":"\#(id)","displayName":"\#(name)","links":[\#(links)]}"#)
    }

    nonisolated private static let responses = [
        Response(
            "a challenge",
            .response(401, #"{"error":"No."}"#, headers: "WWW-Authenticate: Basic realm=\"x\"\r\n"),
            shows: "No."),
        Response(
            "a session that the server has lost", .response(401, #"{"error":"Sign in first."}"#),
            shows: "The server has ended your session. Sign in again."),
        Response(
            "another user's profile", profile("Bob", id: "bob"),
            shows: "The server sent the profile of 'bob' instead of 'ann'."),
        Response(
            "an endless redirect", .response(302, headers: "Location: /users/ann\r\n"),
            shows: "The server responded with status 302."),
        Response("a page", .response(500, page), shows: "The server responded with status 500."),
        Response(
            "half an object", .response(200, #"{"id":"ann","#), shows: "The server's response is not a User"),
        Response(
            "too much", .response(200, String(repeating: " ", count: 2_000_000)),
            shows: "The server's response is larger than 1048576 bytes."),
        Response(
            "deep nesting", .response(200, String(repeating: "[", count: 900_000)), shows: "is not a User"),
        Response("control characters in a name", profile(controls), shows: "evil"),
        Response("control characters in a title", profile("Ann", links: [controls]), shows: "evil"),
        Response(
            "control characters in an error", .response(500, #"{"error":"\#(controls)"}"#), shows: "evil"),
        Response(
            "a long name", profile("Ann" + String(repeating: " long", count: 20_000)), shows: "long long"),
        Response(
            "a long title", profile("Ann", links: [String(repeating: "x", count: 100_000)]), shows: "xxxx"),
        Response(
            "many links", profile("Ann Example", links: (1...4_000).map { "Link \($0)" }), shows: "Link 4"),
    ]

    @Test(arguments: responses)
    func response_isShownInWords_onAWholeScreen(response: Response) async throws {
        try await ScriptedServer.run([Self.signedIn, response.script]) { server in
            let session = try TerminalSession(
                ["--backend", server.baseURL.absoluteString], columns: 120, rows: 20)
            try await session.run { window in
                try await window.signIn()
                try await window.wait(for: response.text)
                window.type("\u{3}")
            }
        }
    }

    @Test(arguments: responses)
    func response_isShownInWords_inLines(response: Response) async throws {
        try await ScriptedServer.run([Self.signedIn, response.script]) { server in
            let result = try await BuiltProgram.app.run(
                ["--backend", server.baseURL.absoluteString], input: [FirstScreen.profile, "ann", "secret"])
            #expect(result.output.contains(response.text))
            let obeyed = result.output.unicodeScalars.filter {
                $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
            }
            #expect(obeyed.isEmpty)
            #expect(result.status == 0)
        }
    }

    /// A key and a signal, while a response is awaited that never arrives completely.
    @Test(
        arguments: [
            [ScriptedServer.Step.hold], [.send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"), .drip],
        ], [nil, SIGTERM])
    func responseThatNeverEnds_canBeLeft(script: [ScriptedServer.Step], signal: Int32?) async throws {
        try await ScriptedServer.run([Self.signedIn, script]) { server in
            let session = try TerminalSession(["--backend", server.baseURL.absoluteString])
            var start = ContinuousClock.now
            let end = try await session.run(endingBy: signal) { window in
                try await window.signIn()
                try await window.wait(for: "Loading the profile")
                start = .now
                if signal == nil { window.type("\u{3}") }
            }
            #expect(end - start < .seconds(5), "the response is not waited for")
        }
    }

    /// Each page of notes names a next one.
    @Test func synchronisationThatNeverEnds_isNotWaitedForInLines_andWhatWasSavedIsStored() async throws {
        let signedIn = Self.signedIn
        try await ScriptedServer.run(
            playing: { request in
                if request.hasPrefix("POST ") { return signedIn }
                let page = #"{"server":"s","notes":[],"deleted":[],"position":"\#(UUID())","hasMore":true}"#
                return [.pause(.milliseconds(20))] + .response(200, page)
            }
        ) { server in
            let arguments = [
                "--data", folder.path, "--backend", server.baseURL.absoluteString, "--open", "app://notes",
            ]
            let input = ["ann", "secret", "1", "Shopping", "Milk", ".", "3"]
            let saved = try await BuiltProgram.app.run(arguments, input: input)
            #expect(saved.output.contains("Synchronising"))
            #expect(saved.output.contains("✓ Saved"))
            #expect(saved.status == 0)
            #expect(saved.errors.isEmpty)
            let stored = try await BuiltProgram.app.run(arguments)
            #expect(stored.output.contains("Shopping — Milk"))
            #expect(stored.status == 0)
        }
    }
}
