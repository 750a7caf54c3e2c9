import DisplayTesting
import Foundation
import Testing

/// What a user typed is stored, whatever the App does at the moment at which it ends.
///
/// `APP_MOMENTS=<count>` ends the App at more or fewer moments, as `scripts/test --slow` does.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(15)))
struct LastTextTests {
    private static let moments = max(
        2, ProcessInfo.processInfo.environment["APP_MOMENTS"].flatMap(Int.init) ?? 4)
    private let folder = DataFolder()

    /// Writes notes as the server inside the App keeps them.
    private func writeNotesOfServer(_ count: Int) throws {
        let notes = "\(folder.path)/user-server%2fembedded/server/notes/ann"
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        for number in 0..<count {
            let id = UUID().uuidString
            let note = #"""
                {"id":"\#(id)","title":"Note \#(number)","text":"Text","changed":"2026-11-23T09:30:00.000Z",\#
                "version":"\#(number)","former":[],"isDeleted":false}
                """#
            try Data(note.utf8).write(to: URL(filePath: "\(notes)/\(id.lowercased()).json"))
        }
    }

    /// The texts of the files with drafts.
    private func drafts() throws -> [String] {
        let drafts = URL(filePath: "\(folder.path)/user-ann/notes/drafts")
        return try FileManager.default.contentsOfDirectory(at: drafts, includingPropertiesForKeys: nil)
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// Typed from 0 to 1.5 s before Ctrl-C, while the notes are read from the server for the first time.
    @Test func typedText_isStored_whileTenThousandNotesAreRead() async throws {
        try writeNotesOfServer(10_000)
        for run in 0..<Self.moments {
            for user in ["user-", "user-ann"] {
                try? FileManager.default.removeItem(atPath: "\(folder.path)/\(user)")
            }
            try await TerminalSession(["--data", folder.path]).run { window in
                try await window.typeTitleOfNewNote("Milk")
                window.type(" and honey")
                try await Task.sleep(for: .milliseconds(run * 1500 / (Self.moments - 1)))
                window.type("\u{3}")
            }
            #expect(try drafts().contains { $0.contains("Milk and honey") }, "run \(run)")
        }
    }

    #if os(Linux)
        /// Prepares the App with another disk: functions of the C library are replaced by those of a program in C.
        private func session(replacing functions: String) async throws -> TerminalSession {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let (source, library) = ("\(folder.path)/disk.c", "\(folder.path)/disk.so")
            try Data(functions.utf8).write(to: URL(filePath: source))
            let compiler = BuiltProgram(path: URL(filePath: "/usr/bin/env"))
            let result = try await compiler.run(["clang", "-shared", "-fPIC", "-o", library, source])
            try #require(result.status == 0, "\(result.errors)")
            let session = try TerminalSession(["--data", folder.path], columns: 100)
            session.app.environment?["LD_PRELOAD"] = library
            session.app.standardError = session.app.standardOutput
            return session
        }

        /// The user makes room on a full disk after they quit.
        @Test func typedText_thatCannotBeStored_isAskedAbout_whenTheUserQuits() async throws {
            let isFull = "\(folder.path)/full"
            let session = try await session(
                replacing: """
                    int access(const char *, int), renameat(int, const char *, int, const char *), *__errno_location(void);
                    int rename(const char *from, const char *to) {
                        if (access("\(isFull)", 0) != 0) return renameat(-100, from, -100, to);
                        *__errno_location() = 28;
                        return -1;
                    }
                    """)
            try await session.run { window in
                try await window.typeTitleOfNewNote("Milk")
                try Data().write(to: URL(filePath: isFull))
                window.type(" and honey")
                try await window.wait(for: "What you type is not stored.")
                window.type("\u{3}")
                try await window.wait(for: "App: Press Enter to try again")
                try FileManager.default.removeItem(atPath: isFull)
                window.type("\r")
            }
            #expect(try drafts().contains { $0.contains("Milk and honey") })
        }

        /// Each fsync takes a second; the user reads what the App waits for, and may end it.
        @Test(arguments: [false, true])
        func typedText_isStored_onASlowDisk(pressesTwice: Bool) async throws {
            let session = try await session(
                replacing: "int usleep(unsigned); int fsync(int file) { return usleep(999999); }")
            try await session.run(endingBy: pressesTwice ? SIGINT : nil) { window in
                try await window.typeTitleOfNewNote("Milk")
                window.type(" and honey\u{3}")
                try await window.wait(for: "App: Storing… Press Ctrl-C to quit at once.")
            }
            #expect(try drafts().contains { $0.contains("Milk and honey") })
        }
    #endif

    /// Within 0.3 s, of which the test sees the file with a delay of its own.
    @Test func typedText_isStoredSoon_whileTenThousandNotesAreRead() async throws {
        try writeNotesOfServer(10_000)
        try await TerminalSession(["--data", folder.path]).run(endingBy: SIGKILL) { window in
            try await window.typeTitleOfNewNote("Milk")
            for _ in 0..<100 {
                if (try? drafts())?.contains(where: { $0.contains("Milk") }) == true { break }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        #expect(try drafts().contains { $0.contains("Milk") })
    }
}
