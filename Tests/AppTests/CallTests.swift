import DisplayTesting
import FeatureFlagsInterface
import Foundation
import HomeInterface
import LoginInterface
import NotesInterface
import ProfileInterface
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@testable import App

/// Calls from other programs to the App that runs.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CallTests {
    private let data = DataFolder()
    private let folder = DataFolder()

    /// Sends a call, and leaves out of the errors that it waits, which depends on other work of this computer.
    private func send(_ url: String) async throws -> ProgramResult {
        let result = try await BuiltProgram.app.run(["--data", folder.path, "--send", url])
        return ProgramResult(
            output: result.output, errors: result.errors.replacing("App: \(Call.waiting)\n", with: ""),
            status: result.status)
    }

    private func send(_ url: String, while user: () async throws -> Void) async throws -> ProgramResult {
        async let result = send(url)
        try await user()
        return try await result
    }

    /// Runs the App on a terminal, from the first screen on, while a user does something.
    private func run(
        endingBy ending: Int32? = nil, in folder: String? = nil, _ user: (PseudoTerminal) async throws -> Void
    ) async throws {
        try await TerminalSession(["--data", folder ?? self.folder.path], columns: 80).run(endingBy: ending) {
            window in
            try await window.wait(for: " Home")
            try await user(window)
        }
    }

    /// A router that shows the first screen to ann, who is signed in.
    private func signedIn(_ presenter: HeadlessPresenter) async throws -> RouterService {
        let others: [any Module] = [HeadlessModule(presenter), Rejecting()]
        let router = RouterService(modules: modules(backend: nil, dataPath: data.path) + others)
        try await router.start(with: Home.Overview())
        _ = try await router.resolve((any Login.Sessions).self).signIn(userName: "ann", password: "secret")
        return router
    }

    @Test func localCall_isARoute_whoseOutputHasAType() async throws {
        let presenter = HeadlessPresenter()
        let router = try await signedIn(presenter)
        func write() async throws -> String {
            // snippet: local
            let note = try await router.result(of: Notes.Editor(title: "Milk"))
            return note.title
            // snippet: end
        }
        async let title = write()
        while presenter.path.last != "New note" { await Task.yield() }
        try await presenter.content?.press("Save")
        #expect(try await title == "Milk")
    }

    /// The transcript of the guide.
    @Test func call_waitsForTheSignIn_andPrintsTheOutput_whenTheUserIsDone() async throws {
        let guide = try String(
            contentsOfFile: BuiltProgram.checkout("docs/Journey.md").path.path, encoding: .utf8)
        let calls = guide.matches(of: /\$ swift run App --send '?([^\s']+)'?\n([^\n]*)\n/).map {
            (String($0.1), String($0.2))
        }
        try #require(calls.count == 2)
        try await run { window in
            let result = try await send(calls[0].0) {
                try await window.wait(for: "Home › Sign in")
                window.type("ann\tsecret\r")
                try await window.wait(for: "Title: │Milk")
                // The first field that is empty has the focus.
                window.type("\t\r")
            }
            let parts = calls[0].1.split(separator: "…").map(String.init)
            #expect(parts.count == 3, "\(result.output)")
            #expect(parts.allSatisfy(result.output.contains), "\(result.output)")
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
            let refused = try await send(calls[1].0) {
                try await window.wait(for: "A link from outside leads to \(calls[1].0). Open it?")
                window.type("n")
            }
            #expect(refused.errors == calls[1].1 + "\n")
            #expect(refused.status == 77)
            window.type("\u{3}")
        }
    }

    @Test func call_endsWithoutAnOutput_whereTheScreenIsLeft_orTheAppEnds_orNobodyWaits() async throws {
        try await run { window in
            let left = try await send("app://notes/new") {
                try await window.wait(for: "Home › Sign in")
                window.type("\u{1B}")
            }
            #expect(left.errors == "App: app://notes/new was left without an output.\n")
            #expect(left.status == 1)
            #expect(left.output.isEmpty)

            try await window.wait(for: " Home")
            let nobody = try await send("app://sign-out")
            #expect(nobody.errors == "App: You are not signed in.\n")
            #expect(nobody.status == 1)
            let accepted = try await send("app://sign-in?userName=ann")
            #expect(accepted.status == 0)
            #expect(accepted.output.isEmpty)
            #expect(accepted.errors.isEmpty)
            try await window.wait(for: "Home › Sign in")

            window.type("secret\r")
            try await window.wait(forRow: "Sign out", "ann")
            let ended = try await send("app://notes/new") {
                try await window.wait(for: "New note")
                window.type("\u{3}")
            }
            #expect(ended.errors == "App: The App ended before it responded.\n")
            #expect(ended.status == 1)
        }
        let missing = try await send("app://notes")
        #expect(missing.errors == "App: No App uses the data in \(folder.path).\n")
        #expect(missing.status == 69)
    }

    @Test func call_isAllowedByTheUser_andNotUnderstood_whereTheURLIsUnknown() async throws {
        try await run { window in
            try await window.signIn()
            try await window.wait(for: "Ann Example")
            async let editing = send("app://notes/new")
            try await window.wait(for: "New note")
            window.type("Tea\u{1B}")
            #expect(try await editing.errors == "App: app://notes/new was left without an output.\n")
            @MainActor func signOut(_ answer: String) async throws -> ProgramResult {
                try await send("app://sign-out") {
                    try await window.wait(for: "A link from outside leads to")
                    window.type("y")
                    try await window.wait(for: "One draft of your notes will be lost")
                    window.type(answer)
                }
            }
            let refused = try await signOut("n")
            #expect(refused.status == 77)
            #expect(refused.errors == "App: app://sign-out was refused by the user.\n")
            let granted = try await signOut("y")
            #expect(granted.status == 0)
            #expect(granted.errors.isEmpty)
            try await window.wait(for: "You are not signed in.")

            for (url, message) in [
                ("app://profil", "No route has the URL 'app://profil'."),
                ("app://sign-in?userName=a&userName=b", "cannot be opened: userName: The query has 2"),
                ("app://" + String(repeating: "n", count: 70_000), "a URL of less than 64 KiB"),
            ] {
                let unknown = try await send(url)
                #expect(unknown.status == 64)
                #expect(unknown.errors.contains(message))
                #expect(unknown.errors.split(separator: "\n").count == 1)
            }
            window.type("q")
        }
    }

    @Test func folder_hasOneApp_whoseSocketIsItsUsersAlone_andReplacedAfterAKill() async throws {
        for ending in [SIGKILL, nil] {
            try await run(endingBy: ending) { window in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/App.socket")
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                let second = try await BuiltProgram.app.run(["--data", folder.path])
                #expect(
                    second.errors.hasPrefix(
                        "App: Another App uses the data in \(folder.path). Have that one open a URL with --send"
                    ))
                #expect(second.status == 1)
                #expect(second.output.isEmpty)
                #expect(try await send("app://home").status == 0)
                if ending == nil { window.type("q") }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/App.socket"))
    }

    @Test func longFolder_hasItsSocketToo_alsoAfterAKill() async throws {
        let long = "\(folder.path)/\(String(repeating: "long", count: 30))"
        for ending in [SIGKILL, nil] {
            try await run(endingBy: ending, in: long) { window in
                let result = try await BuiltProgram.app.run(["--data", long, "--send", "app://home"])
                #expect(result.status == 0)
                if ending == nil { window.type("q") }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "\(long)/App.socket"))
    }

    @Test(arguments: [true, false])
    func call_thatABlockedOrStoppedAppDoesNotAccept_isGivenUp_andOpensNothingLater(
        isStopped: Bool
    ) async throws {
        func give() async throws {
            let start = ContinuousClock.now
            let result = try await send("app://sign-in")
            let message =
                "App: The App that uses the data in \(folder.path) did not accept the call within 5 seconds."
            #expect(result.errors.hasPrefix(message))
            #expect(result.status == 69)
            #expect(ContinuousClock.now - start >= .seconds(4.9))
        }
        guard isStopped else {
            let terminal = try UnreadTerminal(["--data", folder.path])
            try await terminal.start()
            async let other: Void = give()
            try await give()
            return try await other
        }
        let session = try TerminalSession(["--data", folder.path], columns: 80)
        try await session.run { window in
            try await window.wait(for: " Home")
            kill(session.app.processIdentifier, SIGSTOP)
            try await give()
            kill(session.app.processIdentifier, SIGCONT)
            // The next call is accepted after the one before was dropped.
            let unknown = try await send("app://nothing")
            #expect(unknown.status == 64)
            try await window.wait(for: "the first screen") {
                !$0.text.contains("Sign in to") && $0.text.contains(" Home")
            }
            window.type("q")
        }
    }

    @Test(arguments: [true, false])
    func call_waitsUntilTheUserHasFinishedTheText(inLines: Bool) async throws {
        let arguments = ["--data", folder.path, "--open", "app://sign-in"]
        let session = try TerminalSession(arguments, columns: 80, rows: 60, inLines: inLines)
        try await session.run { window in
            try await window.wait(for: "the prompt") {
                inLines ? $0.lines[$0.row] == "User name:" : $0.text.contains("User name:")
            }
            window.type("an")
            try await window.wait(for: inLines ? "User name: an" : "User name: │an")
            let call = try await acceptedCall("app://profile/bob")
            window.type("n")
            try await window.wait(for: inLines ? "User name: ann" : "User name: │ann")
            window.type(inLines ? "\r" : "\t")
            if inLines { try await window.wait(for: "the prompt") { $0.lines[$0.row] == "Password:" } }
            window.type("secret\r")
            try await window.wait(for: "Bob Builder")
            // Once, in the form's hint.
            #expect(window.screen.text.components(separatedBy: "secret").count <= 2)
            #expect(try call.readToEnd().map { String(decoding: $0, as: UTF8.self) } == "\n{\"status\":0}\n")
            window.type(inLines ? "q\r" : "q")
        }
    }

    @Test func callThatWaitsForTheUser_isReportedOnBothTerminals() async throws {
        let app = try BuiltProgram.app.path.path
        let session = try TerminalSession(["--data", folder.path, "--open", "app://sign-in"], columns: 80)
        try await session.run { window in
            try await window.wait(for: "User name:")
            window.type("an")
            try await window.wait(for: "User name: │an")
            let script = #""$0" --data "$1" --send app://home 2>"$1/errors""#
            async let caller = BuiltProgram(path: URL(filePath: "/bin/sh")).run([
                "-c", script, app, folder.path,
            ])
            try await window.wait(for: "Another program waits until you have finished here.")
            try await window.wait(for: "the caller's report", within: .seconds(30)) { _ in
                (try? String(contentsOfFile: "\(folder.path)/errors", encoding: .utf8))
                    == "App: \(Call.waiting)\n"
            }
            window.type("\u{1B}")
            #expect(try await caller.status == 0)
            try await window.wait(for: "the screen without the report") { !$0.text.contains("waits until") }
            window.type("q")
        }
    }

    @Test func twentyCallersThatHangUp_beforeTheUserHasFinishedTheText_openNothing() async throws {
        let session = try TerminalSession(["--data", folder.path, "--open", "app://sign-in"], columns: 80)
        try await session.run { window in
            try await window.wait(for: "User name:")
            window.type("an")
            try await window.wait(for: "User name: │an")
            for _ in 1...20 { try await acceptedCall("app://profile/bob").close() }
            window.type("n\tsecret\r")
            try await window.wait(forRow: "Sign out", "ann")
            // Opened after the calls, if there are any.
            #expect(try await send("app://profile/ann").status == 0)
            try await window.wait(for: "the profile of ann above the first screen alone") {
                $0.text.contains("Home › Profile of ann") && !$0.text.contains("Bob")
            }
            window.type("\u{3}")
        }
    }

    /// Sends a call, and waits until it is accepted; not on the main actor.
    @concurrent
    private func acceptedCall(_ url: String) async throws -> FileHandle {
        let connection = try #require(try CallSocket.connect(in: folder.path, before: .now + .seconds(5)))
        connection.finish(with: url)
        #expect(try connection.read(upToCount: 1) == Data("\n".utf8))
        return connection
    }

    /// As where the queue of calls is full on macOS, which refuses a connection at once.
    @Test func connectionThatFails_isOfAnAppThatDoesNotRespond_whileTheFolderIsLocked() async throws {
        let server = try CallSocket(in: folder.path)
        server.remove()
        let result = try await send("app://profile")
        let message =
            "App: The App that uses the data in \(folder.path) did not accept the call within 5 seconds."
        #expect(result.errors.hasPrefix(message))
        #expect(result.status == 69)
    }

    @Test func whatIsNoCall_isRejected_andTheNextCallIsAccepted() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let server = try CallSocket(in: folder.path)
        defer { server.remove() }
        server.serve { Call.receive(from: $0) { url, _ in CallResponse(output: "\(url)") } }
        let texts = ["\n", String(repeating: "x", count: 70_000) + "\n", "app://unfinished"]
        for text in texts {
            let (response, time) = try await rawResponse(to: text)
            #expect(response?.status == 64)
            #expect(response?.message?.hasPrefix("A call is a line with a URL") == true)
            #expect(text.hasSuffix("\n") || time >= .seconds(4.9))
        }
        let url = "app://\(String(repeating: "x", count: 65_000))"
        #expect(try await rawResponse(to: "\(url)\n").0?.output == url)
    }

    /// Sends text as a program that knows no calls may, not on the main actor.
    @concurrent
    private func rawResponse(to text: String) async throws -> (CallResponse?, Duration) {
        let connection = try #require(try CallSocket.connect(in: folder.path, before: .now + .seconds(5)))
        let start = ContinuousClock.now
        try connection.write(contentsOf: Data(text.utf8))
        // Otherwise, more may follow.
        if text.hasSuffix("\n") { shutdown(connection.fileDescriptor, Int32(SHUT_WR)) }
        let line = try connection.readToEnd()
        return (try line.map { try JSONDecoder().decode(CallResponse.self, from: $0) }, .now - start)
    }

    @Test func ruleOfTheServer_andDisabledFeature_refuseACall() async throws {
        let router = try await signedIn(HeadlessPresenter())
        func respond(_ url: String) async throws -> CallResponse {
            await router.respond(to: try #require(URL(string: url))) { true }
        }
        let ruled = try await respond("app://profile/moved")
        #expect(ruled.status == 77)
        #expect(ruled.message == "Moved.")
        let disabled = try await respond("app://profile/off")
        #expect(disabled.status == 77)
        let failed = try await respond("app://profile/failed")
        #expect(failed.status == 1)
        #expect(failed.message == "The operation failed.")
    }
}

/// Rejects profiles, each for another reason.
private struct Rejecting: Module, Interceptor {
    func register(in registrar: Registrar) { registrar.intercept(.all) { Rejecting() } }

    func intercept(_ request: RouteRequest) async throws -> Interception {
        switch (request.route as? Profile.Overview)?.user {
        case "moved": .reject(FeatureFlags.Rejection("Moved."))
        case "off": .reject(RouterError.rejected(.disabled, route: TypeKey(Profile.Overview.self)))
        case "failed": .reject(UnusableInput("The operation failed."))
        default: .proceed
        }
    }
}
