#if os(Linux)
    import Foundation
    import RouterServiceInterface
    import StorageInterface
    import Testing

    @testable import StorageImplementation

    /// A loss of power at any moment loses no saved transaction, and no damaged bytes.
    ///
    /// A library between a program and the system records what the program writes, so no line of production code knows of it.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: compiler != nil))
    struct PowerLossTests {
        private static let saves = 15
        /// A log with a value and damage behind it, which the recorded program opens.
        private static let damagedLog =
            LogFormat.log(of: ["before": Data("7".utf8)]).bytes + Array("damage".utf8)

        /// The values after some transactions.
        private static func values(after count: Int) -> [Identifier: Int] {
            let last = (0..<5).filter { $0 < count }.map { count - $0 }
            let first: [Identifier: Int] = ["before": 7]
            return last.reduce(into: count == 0 ? first : first.merging(["last": count]) { $1 }) {
                $0["\($1 % 5)"] = $1
            }
        }

        /// The program that is recorded: saves, and names a file that is not there to record what it has saved.
        @Test(.enabled(if: recordedFolder != nil)) func recordedProgram() async throws {
            let folder = try #require(recordedFolder)
            let store = try LogStore(in: folder, minimumCompaction: 300)
            for count in 1...Self.saves {
                try await store.transaction { values in
                    try values.set(count, for: number("last"))
                    try values.set(count, for: number("\(count % 5)"))
                }
                unlink("\(folder)/saved")
            }
        }

        @Test func everyBeginningOfWhatIsWritten_hasWhatWasSaved_alsoWithoutWhatWasNotSynchronised() throws {
            let operations = try record()
            var (disk, saved) = (Disk(holding: Self.damagedLog), 0)
            for (index, operation) in operations.enumerated() {
                if operation == ["unlink", "saved"] { saved += 1 } else { disk.perform(operation) }
                for (name, files) in [("all", disk.files), ("synchronised", disk.synchronizedFiles)] {
                    let folder = try TestFolder()
                    for (file, bytes) in files { try folder.write(bytes, to: file) }
                    let store = try LogStore(in: folder.path)
                    let values = try store.values.undamaged.mapValues {
                        try JSONDecoder().decode(Int.self, from: $0)
                    }
                    #expect(
                        values == Self.values(after: saved) || values == Self.values(after: saved + 1),
                        "\(name) of \(index) operations, \(saved) saved")
                    let isKept = try folder["damaged-1"] == Self.damagedLog
                    #expect(isKept, "\(name) of \(index) operations")
                    #expect(!store.values.damage.isEmpty, "\(name) of \(index) operations")
                }
            }
            #expect(saved == Self.saves)
            #expect(disk.files.keys.sorted() == ["damaged-1", "log"])
            #expect(operations.contains { $0[0] == "rename" }, "the log was compacted")
        }

        /// Runs this program again, with the library that records.
        private func record() throws -> [[String]] {
            let folder = try TestFolder()
            let (library, record) = ("\(folder.path)/record.so", "\(folder.path)/record")
            try folder.write(Self.library.utf8, to: "record.c")
            try run(#require(compiler), ["-shared", "-fPIC", "-o", library, "\(folder.path)/record.c"])
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/store", withIntermediateDirectories: false)
            try folder.write(Self.damagedLog, to: "store/log")
            try run(
                FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
                ["--testing-library", "swift-testing", "--filter", "recordedProgram"],
                ["LD_PRELOAD": library, "STORAGE_FOLDER": "\(folder.path)/store", "STORAGE_RECORD": record])
            return try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
                .map { $0.split(separator: " ").map(String.init) }
        }

        private func run(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) throws
        {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        /// A folder, and what of it would survive a loss of power.
        private struct Disk {
            private final class Node {
                var bytes: [UInt8] = []
                var synchronized: [UInt8] = []
            }

            private var nodes: [String: Node]
            private var synchronized: [String: Node]

            init(holding log: [UInt8]) {
                let node = Node()
                (node.bytes, node.synchronized) = (log, log)
                (nodes, synchronized) = (["log": node], ["log": node])
            }

            var files: [String: [UInt8]] { nodes.mapValues(\.bytes) }
            var synchronizedFiles: [String: [UInt8]] { synchronized.mapValues(\.synchronized) }

            mutating func perform(_ operation: [String]) {
                let name = operation[1]
                switch operation[0] {
                case "create": nodes[name] = nodes[name] ?? Node()
                case "write":
                    let node = nodes[name] ?? Node()
                    let (start, text) = (Int(operation[2]) ?? 0, Array(operation[3].utf8))
                    let bytes = stride(from: 0, to: text.count, by: 2).compactMap {
                        UInt8(String(decoding: text[$0..<$0 + 2], as: UTF8.self), radix: 16)
                    }
                    node.bytes += Array(repeating: 0, count: max(0, start + bytes.count - node.bytes.count))
                    node.bytes.replaceSubrange(start..<start + bytes.count, with: bytes)
                case "truncate":
                    if let node = nodes[name] {
                        node.bytes = Array(node.bytes.prefix(Int(operation[2]) ?? 0))
                    }
                case "rename": nodes[operation[2]] = nodes.removeValue(forKey: name)
                case "unlink": nodes[name] = nil
                case "sync" where name == ".": synchronized = nodes
                case "sync": if let node = nodes[name] { node.synchronized = node.bytes }
                default: Issue.record("unknown: \(operation)")
                }
            }
        }

        /// Records the system calls on the files of a folder that succeed, and each attempt to remove one.
        private static let library = #"""
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>

            #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

            // The name of a file in the folder, "." for the folder itself; null for any other.
            static const char *name(const char *path) {
                const char *folder = getenv("STORAGE_FOLDER");
                size_t count = folder ? strlen(folder) : 0;
                if (!count || strncmp(path, folder, count)) return 0;
                return path[count] ? path + count + 1 : ".";
            }

            static const char *opened(int file, char *path) {
                char link[64];
                snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                ssize_t count = readlink(link, path, 4095);
                path[count < 0 ? 0 : count] = 0;
                return name(path);
            }

            static FILE *record(void) {
                static FILE *file;
                if (!file) file = fopen(getenv("STORAGE_RECORD"), "ae");
                setvbuf(file, 0, _IOLBF, 1 << 16);
                return file;
            }

            int open(const char *path, int flags, ...) {
                va_list rest;
                va_start(rest, flags);
                int result = NEXT(open)(path, flags, va_arg(rest, int));
                va_end(rest);
                if (result >= 0 && flags & O_CREAT && name(path)) {
                    fprintf(record(), "create %s\n", name(path));
                    if (flags & O_TRUNC) fprintf(record(), "truncate %s 0\n", name(path));
                }
                return result;
            }

            ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
                ssize_t result = NEXT(pwrite)(file, bytes, count, offset);
                char path[4096];
                const char *written = opened(file, path);
                if (result > 0 && written) {
                    fprintf(record(), "write %s %ld ", written, (long)offset);
                    for (ssize_t i = 0; i < result; i++)
                        fprintf(record(), "%02x", ((const unsigned char *)bytes)[i]);
                    fprintf(record(), "\n");
                }
                return result;
            }

            int fsync(int file) {
                int result = NEXT(fsync)(file);
                char path[4096];
                const char *synchronized = opened(file, path);
                if (!result && synchronized) fprintf(record(), "sync %s\n", synchronized);
                return result;
            }

            int ftruncate(int file, off_t count) {
                int result = NEXT(ftruncate)(file, count);
                char path[4096];
                const char *truncated = opened(file, path);
                if (!result && truncated) fprintf(record(), "truncate %s %ld\n", truncated, (long)count);
                return result;
            }

            int rename(const char *from, const char *to) {
                int result = NEXT(rename)(from, to);
                if (!result && name(from)) fprintf(record(), "rename %s %s\n", name(from), name(to));
                return result;
            }

            int unlink(const char *path) {
                if (name(path)) fprintf(record(), "unlink %s\n", name(path));
                return NEXT(unlink)(path);
            }
            """#
    }

    /// The C compiler of the toolchain.
    private let compiler: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/clang" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The folder of the program that is recorded.
    private let recordedFolder = ProcessInfo.processInfo.environment["STORAGE_FOLDER"]
#endif
