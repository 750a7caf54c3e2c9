import Foundation
import HTTPClientTesting
import Testing

/// Whole sessions with notes, on the server inside the App and on a served one.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NotesSessionTests {
    private let folder = DataFolder()

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

    /// Runs the App on a server that accepts the sign-in, and nothing about notes.
    private func runOffline(_ input: [String]) async throws -> String {
        let session = [ScriptedServer.Step].response(200, #"{"user":"ann","token":"t"}"#)
        var output = ""
        try await ScriptedServer.run([session, .response(503)]) { server in
            output = try await run(
                ["--data", folder.path, "--backend", server.baseURL.absoluteString], Self.openNotes + input)
        }
        return output
    }

    @Test func note_isWritten_changed_andDeleted() async throws {
        let output = try await session(
            Self.openNotes + [
                "1", "Shopping", "Milk", "Tea", ".", "3", "4", "", "Bread", ".", "3", "4", ":q", "4", "n",
                "4", "y", "0",
            ])
        let start = try #require(output.range(of: "== Home › Notes ==")).lowerBound
        let form = """
              3  Save
              4  All notes
              0  Back

            """
        let help = "(An empty line keeps the text; :q goes back to the choices.)\n"
        let saved = """
            == Home › Notes › Edit note ==
              1  Title: Shopping
              2  Text:
                 | Bread
              3  Save
              4  Delete
              5  All notes
              0  Back

            """
        let list = { (firstLine: String, text: String) in
            """
            == Home › Notes ==
              1  New note
              2  Synchronise
              3  Search:
              4  Shopping — \(firstLine) · DAY
            Shopping
            \(text)
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
                \(list("Bread", "Bread"))> 4

                \(saved)\(help)Title [Shopping]: :q

                \(saved)> 4
                Delete 'Shopping'? (y/n) n

                \(saved)> 4
                Delete 'Shopping'? (y/n) y

                == Home › Notes ==
                No notes yet. Enter on New note writes one.
                  1  New note
                  2  Synchronise
                  0  Back
                > 0

                \(FirstScreen.signedIn(as: "ann"))
                """)
    }

    @Test func noteThatWasWrittenOffline_isSentWhenTheServerRespondsAgain() async throws {
        let offline = try await runOffline(["1", "Tea", "Green", ".", "3", "0"])
        #expect(
            offline.contains(
                "Offline. The server responded with status 503. Your notes on the server are not known here yet.\n"
            ))
        #expect(!offline.contains("No notes yet"))
        #expect(offline.contains("one change is sent later.\n"))
        #expect(offline.contains("Tea — Green · not sent yet · DAY\n"))

        let restarted = try await run(
            ["--data", folder.path, "--backend", "http://127.0.0.1:1", "--open", "app://notes"], [])
        #expect(
            restarted.contains(
                "You are not signed in. These are the notes of ann. What you see is stored here; one change is sent later."
            ))
        #expect(restarted.contains("Tea — Green · not sent yet · DAY\n"))

        try await ServerProcess.run { address in
            let backend = ["--backend", address.absoluteString]
            let sent = try await run(["--data", folder.path] + backend, Self.openNotes)
            #expect(sent.contains("Tea — Green · DAY\n"))
            let elsewhere = try await run(backend, Self.openNotes)
            #expect(
                elsewhere.hasSuffix("  4  Tea — Green · DAY\nTea\nGreen\n  0  Back\n> \n"),
                "once, and not twice")
        }
    }

    @Test func signingOut_asksWhereSomethingIsUnsent_andLeavesNothing() async throws {
        let output = try await runOffline([
            "1", "Tea", "Green", ".", "3", "0", FirstScreen.session, "n", FirstScreen.session, "y",
        ])
        let question =
            "One change of your notes will be lost, because the server does not have it yet. Sign out? (y/n) "
        #expect(output.components(separatedBy: question).count == 3)
        #expect(output.contains("\(question)n\n\n== Home ==\n"))
        #expect(output.hasSuffix(FirstScreen.signedOutChoices))
        let restarted = try await run(["--data", folder.path, "--open", "app://notes"], [])
        #expect(restarted.hasPrefix("│ == Home › Sign in ==\n"))
        #expect(try stored() == false, "no word of the note is left on the disk")
    }

    /// Whether a file in the folder has a word of the note.
    private func stored() throws -> Bool {
        let files = FileManager.default.enumerator(
            at: URL(filePath: folder.path), includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if let data = try? Data(contentsOf: file), data.range(of: Data("Green".utf8)) != nil {
                return true
            }
        }
        return false
    }
}
