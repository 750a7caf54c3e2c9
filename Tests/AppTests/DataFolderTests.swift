import DisplayTesting
import Foundation
import RouterServiceInterface
import RouterServiceProgram
import StorageInterface
import Testing

@testable import App

/// The folder in which the App keeps its data.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DataFolderTests {
    private let folder = DataFolder()

    #if os(Linux)
        @Test func byDefault_dataIsKeptWhereTheSystemHasAPlaceForIt() throws {
            let environment = ["XDG_STATE_HOME": "/state"]
            #expect(try Arguments([], environment: environment).dataPath == "/state/ModularSwift")
            #expect(
                try Arguments([], environment: ["HOME": "/home"]).dataPath
                    == "/home/.local/state/ModularSwift")
            // So that a server and an App can run at once.
            let served = try Arguments(["--serve"], environment: environment).dataPath
            #expect(served == "/state/ModularSwift-Server")
            // The specification says to ignore relative paths.
            for environment in [[:], ["XDG_STATE_HOME": ""], ["XDG_STATE_HOME": "state"]] {
                let path = try Arguments([], environment: environment).dataPath
                #expect(path == "\(NSHomeDirectory())/.local/state/ModularSwift")
            }
        }
    #endif

    @Test func folder_mayBeRelative() throws {
        let current = FileManager.default.currentDirectoryPath
        #expect(try Arguments(["--data", "some/folder"]).dataPath == "\(current)/some/folder")
        #expect(try Arguments(["--data", "/some/folder/"]).dataPath == "/some/folder")
    }

    @Test func relativeFolder_inARemovedWorkingDirectory_isRefusedWithAMessage() async throws {
        let (path, app) = (folder.path, try BuiltProgram.app.path.path)
        let script = "mkdir \(path) && cd \(path) && rmdir \(path) && exec \(app) --data notes"
        let result = try await BuiltProgram(path: URL(filePath: "/bin/sh")).run(["-c", script])
        #expect(
            result.errors
                == "App: The data in notes cannot be used: the working directory was removed.\n")
        #expect(result.output.isEmpty)
        #expect(result.status == 1)
    }

    @Test(arguments: ["file", "link"])
    func folderThatCannotBeMade_isRefusedAtTheStart(parent: String) async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(folder.path)/file"))
        symlink("\(folder.path)/nothing", "\(folder.path)/link")
        let path = "\(folder.path)/\(parent)/data"
        let result = try await BuiltProgram.app.run(["--data", path], input: ["q"])
        let message =
            "App: The folder \(path) cannot be made; choose another with --data or --ephemeral: "
        #expect(result.errors.hasPrefix(message), "\(result.errors)")
        // The system's words, and no number of Foundation's.
        #expect(!result.errors.contains("Domain"), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.status == 1)
    }

    /// The process gives up the rights of root, which may write everything.
    @Test func folderThatCannotBeWritten_isReportedAtTheStart() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if getuid() == 0 {
                try #require(chown(folder, 12345, 12345) == 0)
                try #require(setgid(12345) == 0 && setuid(12345) == 0)
            }
            #expect(CallSocket.warning(about: folder) == nil)
            chmod(folder, 0o500)
            let warning = "Your data is in \(folder), which cannot be written: no change is saved."
            #expect(CallSocket.warning(about: folder)?.hasPrefix(warning) == true)
        }
    }

    @Test func help_saysWhereDataIsKept() async throws {
        try await TerminalSession(["--data", folder.path], columns: 200, rows: 50).run { window in
            try await window.wait(for: " Home")
            window.type("?")
            try await window.wait(for: "Your data is kept in \(folder.path).")
            window.type("?q")
        }
    }

    @Test func temporaryFolder_isRemovedWhenTheUserQuits() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        let input = [
            FirstScreen.session, "ann", "secret", FirstScreen.notes, "1", "Tea", "Green", ".", "3", "q",
        ]
        let result = try await BuiltProgram(path: URL(filePath: "/usr/bin/env")).run(
            ["TMPDIR=\(folder.path)", BuiltProgram.app.path.path, "--ephemeral"], input: input)
        #expect(result.output.contains("Tea — Green"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func temporaryFolder_isRemovedWhenASignalEndsTheApp(number: Int32) async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        let session = try TerminalSession(["--ephemeral"])
        session.app.environment?["TMPDIR"] = folder.path
        try await session.run(endingBy: number) { window in
            try await window.typeTitleOfNewNote("Milk")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func runWithoutNotes_storesNothingOfTheUser() async throws {
        let result = try await BuiltProgram.app.run(
            ["--data", folder.path], input: [FirstScreen.profile, "ann", "secret", "0", FirstScreen.session])
        #expect(result.output.contains("Ann Example"))
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
        let stores = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(stores.sorted() == ["user-", "user-server%2fembedded"])
    }
}
