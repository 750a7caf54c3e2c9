import DisplayTesting
import Foundation
import LoginInterface
import RouterServiceInterface
import RouterServiceProgram
import StorageInterface
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
            entries: [.init(route: route, style: .root, state: "1", memoryState: "2")], services: ["a": "3"],
            memoryServices: ["b": "4"])
        let storable = RouterSnapshot(
            entries: [.init(route: route, style: .root, state: "1")], services: ["a": "3"])
        #expect(read.storable == storable)
    }

    @Test func damage_ofTheProgramsStore_isReportedInEachRunUntilItIsConfirmed() async throws {
        _ = try await run(["q"])
        let log = "\(folder)/user-/log"
        let handle = try FileHandle(forWritingTo: URL(filePath: log))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("damage".utf8))
        try handle.close()
        let question = """
            A part of the stored data cannot be read: 1 change is lost. The 6 unreadable bytes are kept in \
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
            for note in ["Tea —", "Milk —"] { try await window.wait(for: note) }
            window.type("\u{3}")
        }
    }

    @Test func damagedByte_hidesNoOtherNote_andIsReportedWithNames() async throws {
        try await writeNotes()
        let log = URL(filePath: "\(folder)/user-ann/log")
        var bytes = try Data(contentsOf: log)
        // Of the first record with a note: whatever follows it is read all the same.
        let text = try #require(bytes.range(of: Data("Tea text".utf8)))
        bytes[text.lowerBound] ^= 0xFF
        try bytes.write(to: log)
        let report = "A part of the stored data cannot be read: 1 change is lost ('notes/"
        try await confirm([report, "user-ann/damaged-1. Stop reporting this?"], with: "n")
        try await confirm([report], with: "y")
        #expect(try Data(contentsOf: URL(filePath: "\(folder)/user-ann/damaged-1")) == bytes)
    }

    @Test func noteThatCannotBeRead_hidesNoOther_andIsReported() async throws {
        try await writeNotes()
        let name: Identifier = "notes/sent/\(UUID())"
        do {
            let stores = try makeRouter(backend: nil, dataPath: folder).resolve((any Storage.Stores).self)
            try await stores.store(of: "ann").transaction {
                try $0.set(["no": "note"], for: Storage.Key(name))
            }
        }
        let report = "The stored value '\(name)' is not a ServerNote. "
        try await confirm([report, "Stop reporting this?"], with: "n")
        try await confirm([report], with: "y")
        let stores = try makeRouter(backend: nil, dataPath: folder).resolve((any Storage.Stores).self)
        let values = try await stores.store(of: "ann").values
        #expect(try values.value(for: Storage.Key("damaged/\(name)")) == ["no": "note"])
        #expect(values.damage.isEmpty)
    }

    /// What the program keeps besides notes: who has notes, to which server they belong, and what the server inside keeps.
    @Test(arguments: [("", "notes/users"), ("ann", "notes/server"), ("server/embedded", "server/record")])
    func valueThatCannotBeRead_keepsNoUserFromSigningInAndNotes(
        store: Identifier, name: Identifier
    ) async throws {
        try await writeNotes()
        do {
            let stores = try makeRouter(backend: nil, dataPath: folder).resolve((any Storage.Stores).self)
            try await stores.store(of: store).transaction { try $0.set(7, for: Storage.Key(name)) }
        }
        try await TerminalSession(["--data", folder], columns: 320).run { window in
            try await window.signIn(opening: name == "server/record" ? nil : FirstScreen.notes)
            for part in ["The stored value '\(name)' is not a ", "Stop reporting this?"] {
                try await window.wait(for: part)
            }
            window.type("y")
            try await window.wait(for: "an answer") { !$0.text.contains("Stop reporting") }
            if name == "server/record" { window.type(FirstScreen.keys(choosing: FirstScreen.notes)) }
            for part in ["Tea —", "Milk —", "[ Synchronise ]"] { try await window.wait(for: part) }
            #expect(!window.screen.text.contains("! "))
            window.type("\u{3}")
        }
    }
}
