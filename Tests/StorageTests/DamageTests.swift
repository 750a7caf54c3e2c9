import Foundation
import StorageInterface
import Testing

@testable import StorageImplementation

/// A file that cannot be read costs one value, is kept under another name, and is reported.
@Suite(.timeLimit(.minutes(5)))
struct DamageTests {
    private let folder: TestFolder
    private let store: FolderStore
    private let reports: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() throws {
        (reports, continuation) = AsyncStream.makeStream()
        folder = try TestFolder()
        store = try FolderStore(in: folder.path, reports: continuation)
    }

    /// All reports until now.
    private func allReports() async -> [String] {
        continuation.finish()
        return await reports.reduce(into: []) { $0.append($1) }
    }

    @Test(arguments: ["", "?", "\"text\"", "1 1", "\u{0}", "[", "7e999", "null"])
    func fileThatIsNoSuchValue_isSetAside_andHidesNoOther(text: String) async throws {
        try folder.write("1", to: "numbers/a.json")
        try folder.write(text, to: "numbers/b.json")
        for _ in 1...2 { #expect(try await store.numbers == ["a": 1]) }
        #expect(try folder["numbers/b.json.damaged-1"] == text)
        let report = """
            The stored value 'numbers/b' cannot be read (it has another format). The file was kept as \
            \(folder.path)/numbers/b.json.damaged-1.
            """
        #expect(await allReports() == [report])
        try await store.save(2, as: "b")
        #expect(try await store.numbers == ["a": 1, "b": 2])
    }

    @Test func filesThatTheSystemDoesNotRead_areSetAsideToo() async throws {
        try folder.write("1", to: "numbers/a.json")
        let numbers = "\(folder.path)/numbers"
        mkdir("\(numbers)/b.json", 0o700)
        mkfifo("\(numbers)/c.json", 0o600)
        symlink("\(numbers)/a.json", "\(numbers)/d.json")
        try folder.write("", to: "numbers/e.json")
        truncate("\(numbers)/e.json", 60 << 30)
        #expect(try await store.numbers == ["a": 1])
        let reports = await allReports().sorted()
        #expect(reports.count == 4)
        #expect(reports[2].contains("'numbers/d' cannot be read (it is a link"))
        #expect(reports[3].contains("'numbers/e' cannot be read (File too large)"))
        let files = try FileManager.default.contentsOfDirectory(atPath: numbers).sorted()
        #expect(files == ["a.json"] + ["b", "c", "d", "e"].map { "\($0).json.damaged-1" })
    }

    @Test func secondDamage_isKeptBesideTheFirst() async throws {
        for text in ["one", "two"] {
            try folder.write(text, to: "numbers/a.json")
            #expect(try await store.numbers.isEmpty)
        }
        #expect(try folder["numbers/a.json.damaged-1"] == "one")
        #expect(try folder["numbers/a.json.damaged-2"] == "two")
    }

    /// Random bytes of random files are changed or cut off: each file costs itself at most.
    @Test func twoHundredDamagedFiles_costOnlyTheirOwnValues() async throws {
        var random = SeededNumbers(state: 7)
        let whole = Dictionary(uniqueKeysWithValues: (0..<400).map { ("\($0)", [$0, $0, $0]) })
        for (name, list) in whole {
            try store.setNow(list, for: Storage.Key("lists/\(name)"), isSynchronized: false)
        }
        for name in 0..<200 {
            let file = URL(filePath: "\(folder.path)/lists/\(name).json")
            var bytes = try Data(contentsOf: file)
            if Bool.random(using: &random) {
                bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x80
            }
            try bytes.write(to: file)
        }
        let left = try await store.values(of: [Int].self, in: "lists/")
        #expect(
            left
                == whole.filter { Int($0.key)! >= 200 }.map { ("lists/\($0)", $1) }
                .reduce(into: [:]) { $0[$1.0] = $1.1 })
        #expect(try folder.files.filter { $0.hasSuffix(".damaged-1") }.count == 200)
        #expect(await allReports().count == 200)
    }
}
