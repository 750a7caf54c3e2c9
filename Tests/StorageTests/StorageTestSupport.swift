import Foundation
import RouterServiceInterface
import StorageInterface

@testable import StorageImplementation

/// A folder for one test, removed when it is released.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(component: "storage-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of the files in it.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// The bytes of a file.
    subscript(name: String) -> [UInt8] {
        get throws { try [UInt8](Data(contentsOf: URL(filePath: "\(path)/\(name)"))) }
    }

    /// The content of the log in it.
    var content: LogReader {
        get throws { try LogReader(File("\(path)/log", O_RDONLY)) }
    }

    /// Puts bytes in place of a file.
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }
}

/// A key of a whole number.
func number(_ name: Identifier) -> Storage.Key<Int> { Storage.Key(name) }

extension LogReader {
    /// Reads the bytes of a log.
    static func read(_ log: [UInt8]) throws -> LogReader {
        let folder = try TestFolder()
        try folder.write(log, to: "log")
        return try folder.content
    }
}

extension Storage.Store {
    /// Saves a whole number.
    func save(_ value: Int, as name: Identifier) async throws {
        try await transaction { try $0.set(value, for: number(name)) }
    }
}

extension Storage.Values {
    /// Removes all values, one by one.
    mutating func removeAll() {
        for key in keys(of: Int.self, withPrefix: "") { removeValue(for: key) }
    }

    /// The values as JSON, without the reports of damage.
    var undamaged: [Identifier: Data] { encoded.filter { $0.key != "storage/damage" } }

    /// All values by name, each of which is a whole number.
    var numbers: [Identifier: Int] {
        get throws {
            try keys(of: Int.self, withPrefix: "").reduce(into: [:]) { $0[$1.name] = try value(for: $1) }
        }
    }
}

/// A number from the environment, or another one.
func number(fromEnvironment name: String, otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? otherwise
}

/// Random numbers that are the same for the same seed (SplitMix64, https://prng.di.unimi.it/splitmix64.c).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
