import Foundation
import HTTPClientTesting
import Testing

/// What a user wrote meets another server, another user whose name looks alike, or a server restored from a backup.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TwoServersTests {
    private let folder = DataFolder()
    private let openNotes = [FirstScreen.session, "ann", "secret", FirstScreen.notes]

    /// Runs the App with the data of one of its folders, to the end of its input.
    private func run(_ input: [String], at server: URL, data: String = "App") async throws -> String {
        try await BuiltProgram.app.transcript(
            ["--data", "\(folder.path)/\(data)", "--backend", server.absoluteString], input: input)
    }

    /// Runs a server with data that outlive it.
    private func serve(_ body: (URL) async throws -> Void) async throws {
        try await ServerProcess.run(["--data", "\(folder.path)/Server"], body: body)
    }

    private func copy(_ name: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: "\(folder.path)/\(other)")
        try FileManager.default.copyItem(atPath: "\(folder.path)/\(name)", toPath: "\(folder.path)/\(other)")
    }

    private static let draftInList = "(no title) — For me alone · draft\n"

    @Test(arguments: ["1", "2"])
    func draft_staysADraft_whateverTheUserDecidesAboutNotesOfAnotherServer(choice: String) async throws {
        try await ServerProcess.run { first in
            let written = try await run(
                openNotes + ["1", "", "For me alone", ".", "0", "1", "Tea", "Green", ".", "3"],
                at: first)
            #expect(written.contains("✓ Your text is kept as a draft\n"))
            #expect(written.contains("✓ Saved\n"))
        }
        try await ServerProcess.run { second in
            let asked = try await run(
                openNotes + [choice] + (choice == "2" ? ["y"] : []), at: second)
            let question = "This server does not know one note that is stored here.\n  1  Upload them\n"
            let parts = asked.components(separatedBy: question)
            #expect(parts.count == 2)
            let decided = try #require(parts.last?.components(separatedBy: "== Home › Notes ==\n").last)
            #expect(decided.contains(Self.draftInList))
            #expect(decided.contains("Tea — Green") == (choice == "1"))
            let elsewhere = try await run(openNotes, at: second, data: "Other")
            #expect(!elsewhere.contains("For me alone"))
            #expect(elsewhere.contains("Tea — Green") == (choice == "1"))
        }
    }

    /// `é` of one scalar and of two is one name, however it is typed, and however a server writes it.
    @Test func usersWhoseNamesDifferOnlyByTheirNormalForm_areOne() async throws {
        let (composed, decomposed) = ("Ren\u{E9}", "Rene\u{301}")
        let requests = try await ScriptedServer.run(
            playing: { request in
                guard request.hasPrefix("POST /session") else { return .response(503) }
                return .response(200, #"{"user":"Rene\u0301","token":"t"}"#)
            }
        ) { server in
            _ = try await run(
                [
                    FirstScreen.session, composed, "secret", FirstScreen.notes, "1", "Tea", "Green", ".", "3",
                ], at: server.baseURL
            )
            let output = try await BuiltProgram.app.transcript(
                [
                    "--data", "\(folder.path)/App", "--backend", server.baseURL.absoluteString, "--open",
                    "app://notes",
                ], input: ["1", ":q", "3", "1", decomposed, "2", "secret"])
            let screens = output.components(separatedBy: "== Home › Notes ==\n")
            try #require(screens.count > 2)
            #expect(screens[1].contains("Tea — Green"))
            #expect(screens.last?.contains("Tea — Green") == true, "\(output)")
            _ = try await BuiltProgram.app.transcript(
                [
                    "--ephemeral", "--backend", server.baseURL.absoluteString, "--open",
                    "app://sign-in?userName=Rene%CC%81",
                ], input: ["1", "secret"])
        }
        let signIns = requests.filter { $0.hasPrefix("POST /session") }
        #expect(signIns.count == 3)
        #expect(signIns.allSatisfy { $0.utf8.firstRange(of: composed.utf8) != nil }, "as typed, or in a link")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/App")
        #expect(names.filter { $0.contains("en") } == ["user-%52en%c3%a9"])
    }

    /// (a) The server has gone back to a version that is older than the one known here.
    @Test func noteThatARestoredServerHasInAnEarlierVersion_isAConflict() async throws {
        try await serve { _ = try await run(openNotes + ["1", "Tea", "Green", ".", "3"], at: $0) }
        try copy("Server", to: "Backup")
        try await serve { _ = try await run(openNotes + ["4", "", "Black", ".", "3"], at: $0) }
        try copy("Backup", to: "Server")
        try await serve { server in
            let output = try await run(openNotes + ["4", "1", "4"], at: server)
            #expect(output.contains("  4  Tea — Black · conflict · DAY\n"))
            #expect(
                output.contains(
                    """
                    The server has another version of this note, and does not have yours.
                    Yours:
                    Tea
                    Black
                    The other version:
                    Tea
                    Green
                      1  Keep yours
                    """))
            let elsewhere = try await run(openNotes, at: server, data: "Other")
            #expect(elsewhere.contains("Tea — Black"), "the user's choice is sent")
        }
    }

    /// (b) After the backup is restored, another client saves what would have had the version known here.
    @Test func unsentEdit_overwritesNothingThatARestoredServerWasSentSince() async throws {
        try await serve { _ = try await run(openNotes + ["1", "Tea", "Green", ".", "3"], at: $0) }
        try copy("Server", to: "Backup")
        try await serve { _ = try await run(openNotes + ["4", "", "Black", ".", "3"], at: $0) }
        _ = try await BuiltProgram.app.transcript(
            [
                "--data", "\(folder.path)/App", "--backend", "http://127.0.0.1:1", "--open", "app://notes",
            ], input: ["5", "", "Unsent", ".", "3"])
        try copy("Backup", to: "Server")
        try await serve { server in
            _ = try await run(openNotes + ["4", "", "White", ".", "3"], at: server, data: "Other")
            let output = try await run(openNotes, at: server)
            #expect(output.contains("Tea — Unsent · conflict · DAY\n"))
            let elsewhere = try await run(openNotes, at: server, data: "Other")
            #expect(elsewhere.contains("Tea — White"))
        }
    }
}
