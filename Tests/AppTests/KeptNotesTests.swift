import DisplayTesting
import Foundation
import HTTPClientTesting
import Testing

/// What a user wrote is there again on the second day, and is shown to no other user.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct KeptNotesTests {
    private let folder = DataFolder()
    private let openNotes = [FirstScreen.session, "ann", "secret", FirstScreen.notes]
    private let writeTea = ["1", "Tea", "Green", ".", "3"]

    /// Runs the App to the end of its input.
    private func run(_ input: [String], _ arguments: [String] = []) async throws -> String {
        try await BuiltProgram.app.transcript(["--data", folder.path] + arguments, input: input)
    }

    @Test func notes_outliveTheProgram_aKill_andASignOut() async throws {
        let written = try await run(openNotes + writeTea + ["q"])
        #expect(written.contains("✓ Saved\n"))

        // Killed a second after half a note was typed.
        try await TerminalSession(["--data", folder.path]).run(endingBy: SIGKILL) { window in
            try await window.typeTitleOfNewNote("Milk")
            try await Task.sleep(for: .seconds(1))
        }

        let output = try await run(
            openNotes + ["0", FirstScreen.session, "n", FirstScreen.session, "y"]
                + [FirstScreen.session, "bob", "secret", FirstScreen.notes, "0", FirstScreen.session]
                + openNotes + ["q"])
        let notes = try #require(output.range(of: "== Home › Notes ==")).lowerBound
        func home(_ user: String, _ choice: String) -> String {
            "\(FirstScreen.signedIn(as: user).dropLast())\(choice)"
        }
        let signedOut = """
            \(FirstScreen.signedOut.dropLast())\(FirstScreen.session)

            == Home › Sign in ==
            \(ShownScreens.hint)  1  User name:
              2  Password:
              3  Sign in
              0  Back
            (An empty line keeps the text; :q goes back to the choices.)

            """
        let withDraft = """
            == Home › Notes ==
              1  New note
              2  Synchronise
              3  Search:
              4  Milk — draft
              5  Tea — Green · DAY
            Milk
            You have not saved this note. Open it to do so, or to discard it.
              0  Back

            """
        let withoutDraft = """
            == Home › Notes ==
              1  New note
              2  Synchronise
              3  Search:
              4  Tea — Green · DAY
            Tea
            Green
              0  Back

            """
        let question =
            "One draft of your notes will be lost, because you have not saved it yet. Sign out? (y/n) "
        #expect(
            output[notes...] == """
                \(withDraft)> 0

                \(home("ann", FirstScreen.session))
                \(question)n

                \(home("ann", FirstScreen.session))
                \(question)y

                \(signedOut)User name: bob
                Password: ••••••

                \(home("bob", FirstScreen.notes))

                == Home › Notes ==
                No notes yet. Enter on New note writes one.
                  1  New note
                  2  Synchronise
                  0  Back
                > 0

                \(home("bob", FirstScreen.session))

                \(signedOut)User name: ann
                Password: ••••••

                \(home("ann", FirstScreen.notes))

                \(withoutDraft)> q

                """)
    }

    @Test func notesOfOneUser_areNotShownToAnother_whoSignsInOverThem() async throws {
        _ = try await run(openNotes + writeTea)
        try await TerminalSession(["--data", folder.path, "--open", "app://notes"], columns: 100).run {
            window in
            try await window.wait(forRow: "Tea", "Green")
            window.type("\u{1B}[H\r")
            try await window.wait(for: "[ Use another name ]")
            window.type("\t\t\r")
            try await window.wait(for: "the name's field") { !$0.text.contains("Use another name") }
            for _ in "ann" { window.type("\u{7F}") }
            window.type("bob\tsecret\r")
            try await window.wait(for: "No notes yet. Enter on New note writes one.")
            try await window.wait(for: "Signed in as bob")
            #expect(!window.screen.text.contains("Tea"))
            window.type("\u{3}")
        }
    }

    @Test func signOut_duringASlowResponse_isDoneHereWhenTheProgramEnds() async throws {
        let session = [ScriptedServer.Step].response(200, #"{"user":"ann","token":"t"}"#)
        let notes = [ScriptedServer.Step].response(
            200, #"{"server":"s","notes":[],"deleted":[],"position":"","hasMore":false}"#)
        try await ScriptedServer.run([session, notes, [.hold]]) { server in
            try await TerminalSession(["--data", folder.path, "--backend", server.baseURL.absoluteString])
                .run(
                    endingBy: SIGKILL
                ) { window in
                    try await window.signIn(opening: FirstScreen.notes)
                    try await window.wait(for: "[ New note ]")
                    window.type("\u{1B}")
                    try await window.wait(forRow: "Sign out", "ann")
                    window.type(FirstScreen.keys(choosing: FirstScreen.session))
                    try await window.wait(for: "the end of the session") { !$0.text.contains("Sign out") }
                }
        }
        let restarted = try await run(["q"], ["--open", "app://notes"])
        #expect(
            restarted.hasPrefix(
                "│ == Home › Sign in ==\n│ \(ShownScreens.hint)"
            ))
    }

    /// The user is asked, reads what keeps the notes from being removed, and they are not shown without a sign-in.
    @Test func signOut_whereTheNotesCannotBeRemoved_worksAndSaysWhatIsLeft() async throws {
        try await ServerProcess.run { address in
            let arguments = ["--backend", address.absoluteString]
            _ = try await run(openNotes + writeTea, arguments)
            let user = "\(folder.path)/user-ann"
            let other = open(user, O_RDONLY | O_CLOEXEC)
            defer { close(other) }
            try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
            let output = try await run(
                [FirstScreen.session, "ann", "secret", FirstScreen.session, "y"], arguments)
            let question = "Your notes cannot be read, and will be lost where the server does not have them. "
            #expect(output.contains(question))
            let message =
                "! You are signed out, but notes of ann could not be removed from this computer. The data in "
            #expect(output.contains(message))
            #expect(output.contains("another program uses it"))
            #expect(output.hasSuffix(FirstScreen.signedOutChoices))
            let restarted = try await run([], arguments + ["--open", "app://notes"])
            #expect(restarted.hasPrefix("│ == Home › Sign in =="))
            try #require(flock(other, LOCK_UN) == 0)
            _ = try await run([], arguments)
            let left = try FileManager.default.contentsOfDirectory(atPath: user)
            #expect(left.isEmpty, "removed at the next start")
        }
    }
}
