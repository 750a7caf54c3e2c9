import DisplayTesting
import Foundation
import HTTPClientTesting
import Testing

/// Whole sessions with notes, on the server inside the App and on a served one.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class NotesSessionTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The lines below the preview of the note on the list.
    private static let endOfList = "  5  Edit 'Tea'\n  6  Delete 'Tea'\n  0  Back\n> \n"

    private static let openNotes = [FirstScreen.session, "ann", "secret", FirstScreen.notes]

    /// Runs the App on the server inside it and on a served one, which print the same.
    private func session(_ input: [String], _ arguments: [String] = []) async throws -> String {
        let embedded = try await run(arguments, input)
        try await ServerProcess.run { address in
            let real = try await run(arguments + ["--backend", address.absoluteString], input)
            #expect(real == embedded.replacing(ShownScreens.hint, with: ""))
        }
        return embedded
    }

    private func run(_ arguments: [String], _ input: [String]) async throws -> String {
        try await BuiltProgram.app.transcript(arguments, input: input)
    }

    /// Runs the App on a server that answers the sign-in, and nothing about notes.
    private func runOffline(_ input: [String]) async throws -> String {
        let session = [ScriptedServer.Step].answer(200, #"{"user":"ann","token":"t"}"#)
        var output = ""
        try await ScriptedServer.run([session, .answer(503)]) { server in
            output = try await run(
                ["--data", folder, "--backend", server.baseURL.absoluteString], Self.openNotes + input)
        }
        return output
    }

    /// The screens that were printed, without the typed text at the end of each.
    private func screens(_ output: String) -> [String] {
        output.components(separatedBy: "\n\n")
    }

    @Test func preview_showsTheNoteInFocus() async throws {
        let output = try await run([], Self.openNotes + ["1", "Tea", "Green or black", ".", "3"])
        #expect(output.contains("Tea\nGreen or black\n  5  Edit"))
    }

    @Test func note_isWritten_changed_deleted_andBroughtBack() async throws {
        let output = try await session(
            Self.openNotes + [
                "1", "Shopping", "Milk", "Tea", ".", "3", "", "4", "", "Bread", ".", "3", "6", "1", "0",
            ])
        let start = try #require(output.range(of: "== Home › Notes ==")).lowerBound
        let form = """
              3  Save
              4  All notes
              0  Back

            """
        let help = "(An empty line keeps the text; :q goes back to the choices.)\n"
        let list = { (firstLine: String, text: String) in
            """
            == Home › Notes ==
              1  New note
              2  Synchronise
              3  Search:
              4  Shopping — \(firstLine) · DAY
            Shopping
            \(text)
              5  Edit 'Shopping'
              6  Delete 'Shopping'
              0  Back

            """
        }
        #expect(
            output[start...] == """
                == Home › Notes ==
                No notes yet. Enter on New note writes one.
                  1  New note
                  2  Synchronise
                  0  Back
                > 1

                == Home › Notes › New note ==
                  1  Title:
                  2  Text:
                \(form)\(help)Title: Shopping
                Text; end it with a line that is only a full stop:
                | Milk
                | Tea
                | .

                == Home › Notes › New note ==
                  1  Title: Shopping
                  2  Text:
                     | Milk
                     | Tea
                  3  Save
                  4  Discard the changes
                  5  All notes
                  0  Back
                > 3

                ✓ Saved
                \(list("Milk", "Milk\nTea"))\(help)Search:\(" ")

                \(list("Milk", "Milk\nTea"))> 4

                == Home › Notes › Edit note ==
                  1  Title: Shopping
                  2  Text:
                     | Milk
                     | Tea
                  3  Save
                  4  Delete
                  5  All notes
                  0  Back
                \(help)Title [Shopping]:\(" ")
                Text; end it with a line that is only a full stop:
                | Bread
                | .

                == Home › Notes › Edit note ==
                  1  Title: Shopping
                  2  Text:
                     | Bread
                  3  Save
                  4  Discard the changes
                  5  Delete
                  6  All notes
                  0  Back
                > 3

                ✓ Saved
                \(list("Bread", "Bread"))> 6

                == Home › Notes ==
                'Shopping' was deleted.
                No notes yet. Enter on New note writes one.
                  1  Undo the deletion
                  2  New note
                  3  Synchronise
                  0  Back
                > 1

                \(list("Bread", "Bread"))> 0

                \(FirstScreen.signedIn(as: "ann"))
                """)
    }

    @Test func noteThatWasWrittenOffline_isSentWhenTheServerAnswersAgain() async throws {
        let offline = try await runOffline(["1", "Tea", "Green", ".", "3", "", "0"])
        #expect(
            offline.contains("Offline. The server answered with status 503. What you see is stored here.\n"))
        #expect(offline.contains("one change is sent later.\n"))
        #expect(offline.contains("Tea — Green · not sent yet · DAY\n"))

        let restarted = try await run(
            ["--data", folder, "--backend", "http://127.0.0.1:1", "--open", "app://notes"], [""])
        #expect(
            restarted.contains(
                "You are not signed in. These are the notes of ann. What you see is stored here; one change is sent later."
            ))
        #expect(restarted.contains("Tea — Green · not sent yet · DAY\n"))

        try await ServerProcess.run { address in
            let backend = ["--backend", address.absoluteString]
            let sent = try await run(["--data", folder] + backend, Self.openNotes + [""])
            #expect(sent.contains("Tea — Green · DAY\n"))
            let elsewhere = try await run(backend, Self.openNotes + [""])
            #expect(
                elsewhere.hasSuffix(
                    "  4  Tea — Green · DAY\nTea\nGreen\n" + Self.endOfList),
                "once, and not twice")
        }
    }

    @Test func noteThatWasChangedHereAndElsewhere_showsBothVersions_andTheUserChooses() async throws {
        try await ServerProcess.run { address in
            let backend = ["--backend", address.absoluteString]
            _ = try await run(
                ["--data", folder] + backend, Self.openNotes + ["1", "Tea", "Green", ".", "3", ""])
            _ = try await run(backend, Self.openNotes + ["", "4", "Cocoa", "", "3"])
            let offline = try await runOffline(["", "4", "Coffee", "", "3"])
            #expect(offline.contains("Coffee — Green · not sent yet · DAY\n"))

            let online = try await run(["--data", folder] + backend, Self.openNotes + ["", "4", "1"])
            #expect(online.contains("Coffee — Green · conflict · DAY\n"))
            #expect(
                online.contains(
                    """
                    The server has another version of this note, and does not have yours.
                    Yours:
                    Coffee
                    Green
                    The other version:
                    Cocoa
                    Green
                      1  Keep yours
                      2  Keep the other version
                      3  Keep both
                    """))
            let elsewhere = try await run(backend, Self.openNotes + [""])
            #expect(elsewhere.contains("Coffee — Green · DAY\n"))
            #expect(!elsewhere.contains("Cocoa"))
        }
    }

    @Test func signingOut_asksWhereSomethingIsUnsent_andLeavesNothing() async throws {
        let output = try await runOffline([
            "1", "Tea", "Green", ".", "3", "", "0", FirstScreen.session, "n", FirstScreen.session, "y",
        ])
        let question =
            "One change of your notes will be lost, because the server does not have it yet. Sign out? (y/n) "
        #expect(output.components(separatedBy: question).count == 3)
        #expect(output.contains("\(question)n\n\n== Home ==\n"))
        #expect(output.hasSuffix(FirstScreen.signedOutChoices))
        let restarted = try await run(["--data", folder, "--open", "app://notes"], [])
        #expect(restarted.hasPrefix("│ == Home › Sign in ==\n"))
        #expect(try stored() == false, "no word of the note is left on the disk")
    }

    /// Whether a file in the folder has a word of the note.
    private func stored() throws -> Bool {
        let files = FileManager.default.enumerator(at: URL(filePath: folder), includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if let data = try? Data(contentsOf: file), data.range(of: Data("Green".utf8)) != nil {
                return true
            }
        }
        return false
    }

    @Test func links_leadToNotes_afterTheSignIn() async throws {
        let new = try await run(["--open", "app://notes/new"], ["ann", "secret", "Tea", ".", "3"])
        #expect(new.contains("== Home › New note ==\n"))
        #expect(new.contains("✓ Saved\n== Home ==\n"))
        let unknown = try await run(
            ["--open", "app://notes/00000000-0000-4000-8000-000000000001/edit"], ["ann", "secret", "2"])
        #expect(
            unknown.contains(
                """
                == Home › Notes › Edit note ==
                ! There is no such note. It may have been deleted.
                  1  Try again
                  2  All notes
                  0  Back
                > 2

                == Home › Notes ==
                """))
    }

    @Test func listThatMakesNoSense_isAnErrorOnTheScreen() async throws {
        let session = [ScriptedServer.Step].answer(200, #"{"user":"ann","token":"t"}"#)
        try await ScriptedServer.run([
            session,
            .answer(200, #"{"server":"s","notes":[{"id":7}],"deleted":[],"position":"","hasMore":false}"#),
        ]) {
            server in
            let output = try await run(
                ["--backend", server.baseURL.absoluteString, "--open", "app://notes"], ["ann", "secret"])
            #expect(
                output.contains(
                    "== Home › Notes ==\n! A note of the server is left out. The server's response is not a ServerNote: at "
                        + "'notes[0].id'"))
        }
    }

    /// Shows the list with two notes in a terminal, with the focus on the second one, while a user does something.
    private func terminal(
        columns: Int, rows: Int, _ user: (PseudoTerminal) async throws -> Void
    ) async throws {
        try await TerminalSession(["--open", "app://notes"], columns: columns, rows: rows).run { window in
            try await window.wait(for: "Home › Sign in")
            window.type("ann\tsecret\r")
            for (title, text) in [("Tea", "Green"), ("Milk", "Cold")] {
                try await window.wait(for: "[ New note ]")
                window.type("\u{1B}[H\r")
                try await window.wait(for: "Notes › New note")
                window.type("\(title)\t\(text)\t\r")
                // The button is the second stop of Tab, and not there while the notes are synchronised.
                try await window.wait(for: "'\(title)' in the list") {
                    $0.text.contains("[ Edit '\(title)' ]") && $0.text.contains("[ Synchronise ]")
                }
            }
            window.type("\u{1B}[H\t\t\t")
            try await window.wait(for: "› Milk")
            try await user(window)
        }
    }

    @Test(arguments: [64, 80])
    func preview_followsTheFocus_besideTheListOrBelowIt(columns: Int) async throws {
        try await terminal(columns: columns, rows: 24) { window in
            window.type("j")
            try await window.wait(for: "[ Delete 'Tea' ]")
            #expect(window.screen.text.contains("┐┌─ Preview ──") == (columns == 80))
            window.type("k")
            try await window.wait(for: "[ Delete 'Milk' ]")
            window.type("\u{3}")
        }
    }
}
