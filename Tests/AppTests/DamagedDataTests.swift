import DisplayTesting
import Foundation
import LoginInterface
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import App

/// The built program reports damaged data on the screen, and again when it ends.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DamagedDataTests {
    private let folder = DataFolder()

    private func run(_ input: [String], _ arguments: [String] = []) async throws -> ProgramResult {
        try await BuiltProgram.app.run(["--data", folder.path] + arguments, input: input)
    }

    /// The report of one value of a user, which has another format.
    private func report(of name: String, of user: String) -> String {
        """
        App: The stored value '\(name)' cannot be read (it has another format). The file was kept as \
        \(folder.path)/user-\(user)/\(name).json.damaged-1.

        """
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

    @Test func damage_ofTheProgramsStore_isReportedOnce() async throws {
        _ = try await run([FirstScreen.session, "ann", "secret", FirstScreen.notes, "q"])
        try Data("?".utf8).write(to: URL(filePath: "\(folder.path)/user-/notes/users.json"))
        #expect(try await run(["q"]).errors == report(of: "notes/users", of: ""))
        #expect(try await run(["q"]).errors.isEmpty)
    }

    /// Writes two notes as a user does.
    private func writeNotes() async throws {
        func note(_ title: String) -> [String] { ["1", title, "\(title) text", ".", "3"] }
        let result = try await run(
            [FirstScreen.session, "ann", "secret", FirstScreen.notes] + note("Tea") + note("Milk"))
        #expect(result.output.split(separator: "✓ Saved").count == 3)
    }

    /// The files of the notes of a user.
    private func files(of user: String, in notes: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: URL(filePath: "\(folder.path)/user-\(user)/\(notes)"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "json" }
    }

    @Test(arguments: ["", "?", "{"])
    func noteThatCannotBeRead_hidesNoOther_andIsReported(damage: String) async throws {
        try await writeNotes()
        let name = "notes/notes/\(UUID())".lowercased()
        let file = "\(folder.path)/user-ann/\(name).json"
        try Data(damage.utf8).write(to: URL(filePath: file))
        let result = try await run([], ["--open", "app://notes"])
        for note in ["Tea — Tea text", "Milk — Milk text"] { #expect(result.output.contains(note)) }
        #expect(result.errors == report(of: name, of: "ann"))
        #expect(result.output.contains("! \(report(of: name, of: "ann").dropFirst("App: ".count))== Home"))
        #expect(try String(contentsOfFile: "\(file).damaged-1", encoding: .utf8) == damage)
    }

    /// The server has the note still, and lists it again.
    @Test func damagedNoteOfTheServer_comesBackFromIt() async throws {
        try await writeNotes()
        for file in try files(of: "ann", in: "notes/notes") { try Data().write(to: file) }
        let result = try await run([FirstScreen.session, "ann", "secret", FirstScreen.notes, "q"])
        #expect(result.errors.split(separator: "\n").count == 2)
        #expect(result.output.contains("Tea — Tea text"))
        #expect(try files(of: "ann", in: "notes/notes").count == 2)
    }

    /// What the program keeps besides notes: who has notes, to which server they belong, and what the server inside keeps.
    @Test(arguments: [
        ("user-", "notes/users"), ("user-ann", "notes/server"), ("user-server%2fembedded", "server/record"),
    ])
    func valueThatCannotBeRead_keepsNoUserFromSigningInAndNotes(store: String, name: String) async throws {
        try await writeNotes()
        let file = "\(folder.path)/\(store)/\(name).json"
        #expect(FileManager.default.fileExists(atPath: file))
        try Data("7".utf8).write(to: URL(filePath: file))
        try await TerminalSession(["--data", folder.path], columns: 320).run { window in
            try await window.signIn(opening: FirstScreen.notes)
            for part in ["Tea  ", "Milk  ", "[ Synchronise ]"] { try await window.wait(for: part) }
            let warnings = window.screen.lines.filter { $0.contains("! ") }
            #expect(warnings.allSatisfy { $0.hasPrefix(" ! The stored value '\(name)' cannot be read") })
            window.type("\u{3}")
        }
        #expect(FileManager.default.fileExists(atPath: "\(file).damaged-1"))
    }
}
