import DisplayTesting
import Foundation
import LoginInterface
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import App

/// Damaged data is reported by the built program, until the user has seen it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class DamagedDataTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func run(_ input: [String]) async throws -> String {
        try await BuiltProgram.app.transcript(["--data", folder], input: input)
    }

    @Test func storedStack_losesTheStatesThatAreNeverStored() {
        let route = AnyRoute(Login.SignIn())
        let read = RouterSnapshot(
            entries: [
                .init(route: route, style: .root, state: .init("1", of: .file)),
                .init(route: route, style: .push, state: .init("2", of: .memory)),
            ], services: ["a": .init("3", of: .file), "b": .init("4", of: .memory)])
        let storable = RouterSnapshot(
            entries: [
                .init(route: route, style: .root, state: .init("1", of: .file)),
                .init(route: route, style: .push),
            ], services: ["a": .init("3", of: .file)])
        #expect(read.storable == storable)
    }

    @Test func damage_ofTheProgramsStore_isReportedInEachRunUntilItIsConfirmed() async throws {
        _ = try await run([FirstScreen.session, "ann", "secret", FirstScreen.notes, "q"])
        try Data("?".utf8).write(to: URL(filePath: "\(folder)/user-/notes/users.json"))
        let question = """
            A stored value cannot be read: 'notes/users' (it has another format). What is there is kept in \
            \(folder)/user-/damaged-1. Stop reporting this? (y/n) 
            """
        #expect(try await run(["n", "q"]).hasPrefix(question))
        #expect(try await run(["y", "q"]).hasPrefix(question))
        #expect(try await !run(["q"]).contains("(y/n)"))
    }

    /// Writes two notes as a user does.
    private func writeNotes() async throws {
        func note(_ title: String) -> [String] { ["1", title, "\(title) text", ".", "3", ""] }
        let output = try await run(
            [FirstScreen.session, "ann", "secret", FirstScreen.notes] + note("Tea") + note("Milk"))
        #expect(output.split(separator: "✓ Saved").count == 3)
    }

    /// Opens the notes of the last run, and answers the question with a report of damage.
    private func confirm(_ parts: [String], with key: String) async throws {
        try await TerminalSession(["--data", folder, "--open", "app://notes"], columns: 320).run { window in
            for part in parts { try await window.wait(for: part) }
            window.type(key)
            try await window.wait(for: "an answer") { !$0.text.contains("Stop reporting") }
            for note in ["Tea  ", "Milk  "] { try await window.wait(for: note) }
            window.type("\u{3}")
        }
    }

    /// The files of the notes of a user.
    private func files(of user: String, in notes: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: URL(filePath: "\(folder)/user-\(user)/\(notes)"), includingPropertiesForKeys: nil)
    }

    @Test(arguments: ["", "?", "{"])
    func noteThatCannotBeRead_hidesNoOther_andIsReported(damage: String) async throws {
        try await writeNotes()
        let file = "\(UUID())".lowercased()
        try Data(damage.utf8).write(to: URL(filePath: "\(folder)/user-ann/notes/notes/\(file).json"))
        let report = "A stored value cannot be read: 'notes/notes/\(file)' (it has another format)."
        try await confirm([report, "user-ann/damaged-1. Stop reporting this?"], with: "n")
        try await confirm([report], with: "y")
        let kept = "\(folder)/user-ann/damaged-1/notes_notes_\(file).json"
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == damage)
    }

    /// The server has the note still, and lists it again.
    @Test func damagedNoteOfTheServer_comesBackFromIt() async throws {
        try await writeNotes()
        for file in try files(of: "ann", in: "notes/notes") { try Data().write(to: file) }
        let output = try await run(
            [FirstScreen.session, "ann", "secret", FirstScreen.notes, "y", "", "q"])
        #expect(output.contains("2 stored values cannot be read: "))
        #expect(output.contains("Tea — Tea text"))
        #expect(try files(of: "ann", in: "notes/notes").count == 2)
    }

    /// What the program keeps besides notes: who has notes, to which server they belong, and what the server inside keeps.
    @Test(arguments: [
        ("user-", "notes/users"), ("user-ann", "notes/server"), ("user-server%2fembedded", "server/record"),
    ])
    func valueThatCannotBeRead_keepsNoUserFromSigningInAndNotes(store: String, name: String) async throws {
        try await writeNotes()
        let file = "\(folder)/\(store)/\(name).json"
        #expect(FileManager.default.fileExists(atPath: file))
        try Data("7".utf8).write(to: URL(filePath: file))
        try await TerminalSession(["--data", folder], columns: 320).run { window in
            @MainActor func confirm() async throws {
                for part in ["A stored value cannot be read: '\(name)'", "Stop reporting this?"] {
                    try await window.wait(for: part)
                }
                window.type("y")
                try await window.wait(for: "an answer") { !$0.text.contains("Stop reporting") }
            }
            if name == "notes/users" { try await confirm() }
            try await window.signIn(opening: name == "server/record" ? nil : FirstScreen.notes)
            if name == "server/record" {
                try await confirm()
                window.type(FirstScreen.keys(choosing: FirstScreen.notes))
            }
            if name == "notes/server" { try await confirm() }
            for part in ["Tea  ", "Milk  ", "[ Synchronise ]"] { try await window.wait(for: part) }
            #expect(!window.screen.text.contains("! "))
            window.type("\u{3}")
        }
    }
}
