import Foundation
import StorageInterface
import Testing

@testable import StorageImplementation

/// What cannot be read costs one value, is kept, and is reported until the user has seen it.
@Suite(.timeLimit(.minutes(5)))
struct DamageTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func open() async throws -> (stores: FolderStores, store: any Storage.Store) {
        let stores = FolderStores(in: Storage.Folder(path: folder.path))
        return (stores, try await stores.store(of: "ann"))
    }

    /// The reports so far; a last one of a store of its own ends them.
    private func reports(of stores: FolderStores) async throws -> [Storage.Damage] {
        try folder.write("?", to: "user-last/numbers/a.json")
        _ = try await stores.store(of: "last").numbers
        var reports: [Storage.Damage] = []
        for await damage in stores.damage {
            if damage.report.contains("user-last") {
                damage.confirm()
                break
            }
            reports.append(damage)
        }
        return reports
    }

    @Test(arguments: ["", "?", "\"text\"", "1 1", "\u{0}", "[", "7e999", "null"])
    func fileThatIsNoSuchValue_isSetAside_andHidesNoOther(text: String) async throws {
        try folder.write("1", to: "user-ann/numbers/a.json")
        try folder.write(text, to: "user-ann/numbers/b.json")
        let (stores, store) = try await open()
        #expect(try await store.numbers == ["a": 1])
        #expect(try folder["user-ann/damaged-1/numbers_b.json"] == text)
        #expect(
            try await reports(of: stores).map(\.report) == [
                """
                A stored value cannot be read: 'numbers/b' (it has another format). What is there is kept in \
                \(folder.path)/user-ann/damaged-1.
                """
            ])
        try await store.save(2, as: "b")
        #expect(try await store.numbers == ["a": 1, "b": 2])
    }

    @Test func report_returnsUntilItIsConfirmed() async throws {
        try folder.write("?", to: "user-ann/numbers/a.json")
        for run in 1...3 {
            let (stores, store) = try await open()
            _ = try await store.numbers
            let reports = try await reports(of: stores)
            #expect(reports.count == (run == 3 ? 0 : 1), "run \(run)")
            if run == 2 { reports.first?.confirm() }
        }
        #expect(try folder["user-ann/damaged-1/numbers_a.json"] == "?", "the file stays")
    }

    @Test func filesThatTheSystemDoesNotRead_areSetAsideToo() async throws {
        try folder.write("1", to: "user-ann/numbers/a.json")
        let numbers = "\(folder.path)/user-ann/numbers"
        mkdir("\(numbers)/b.json", 0o700)
        mkfifo("\(numbers)/c.json", 0o600)
        symlink("\(numbers)/a.json", "\(numbers)/d.json")
        let (stores, store) = try await open()
        #expect(try await store.numbers == ["a": 1])
        let report = try #require(try await reports(of: stores).first?.report)
        for part in ["3 stored values", "'numbers/b' (", "(it is a link"] {
            #expect(report.contains(part), "\(report)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: numbers) == ["a.json"])
    }

    @Test func secondDamage_isKeptBesideTheFirst() async throws {
        let (_, store) = try await open()
        for text in ["one", "two"] {
            try folder.write(text, to: "user-ann/numbers/a.json")
            #expect(try await store.numbers.isEmpty)
        }
        #expect(try folder["user-ann/damaged-1/numbers_a.json"] == "one")
        #expect(try folder["user-ann/damaged-2/numbers_a.json"] == "two")
    }

    /// Random bytes of random files are changed or cut off: each file costs itself at most.
    @Test func twoHundredDamagedFiles_costOnlyTheirOwnValues() async throws {
        var random = SeededNumbers(state: 7)
        let (_, store) = try await open()
        let whole = Dictionary(uniqueKeysWithValues: (0..<400).map { ("\($0)", [$0, $0, $0]) })
        let keyed = whole.map { (Storage.Key<[Int]>("lists/\($0)"), [Int]?.some($1)) }
        try await store.set(Dictionary(uniqueKeysWithValues: keyed))
        for name in 0..<200 {
            let file = URL(filePath: "\(folder.path)/user-ann/lists/\(name).json")
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
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/user-ann/damaged-1")
        #expect(kept.count == 201, "and the report")
    }
}
