import Foundation
import StorageInterface

@testable import StorageImplementation

/// A folder for one test, removed when it is released.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(component: "storage-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of the files in it.
    var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        }
    }

    /// The text of a file.
    subscript(name: String) -> String {
        get throws { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
    }

    /// Puts a text in place of a file.
    func write(_ text: String, to name: String) throws {
        let file = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}

/// A key of a whole number.
func number(_ name: String) -> Storage.Key<Int> { Storage.Key("numbers/\(name)") }

extension Storage.Store {
    /// Saves a whole number.
    func save(_ value: Int?, as name: String, isSynchronized: Bool = true) async throws {
        try await set(value, for: number(name), isSynchronized: isSynchronized)
    }

    /// All whole numbers by name.
    var numbers: [String: Int] {
        get async throws {
            let values = try await values(of: Int.self, in: "numbers/")
            return Dictionary(uniqueKeysWithValues: values.map { (String($0.dropFirst(8)), $1) })
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
