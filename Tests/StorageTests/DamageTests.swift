import Foundation
import StorageInterface
import Testing

@testable import StorageImplementation

/// However a log's bytes are damaged, its intact beginning is read, and the rest is kept in its own file.
@Suite(.timeLimit(.minutes(1)))
struct DamageTests {
    private let folder: TestFolder
    /// The log of some transactions.
    private let log: [UInt8]
    /// The values after each record, by the size of the log up to it.
    private let states: [Int: [String: Data]]

    init() throws {
        folder = try TestFolder()
        var (log, values, random) = (LogFormat.header(), [String: Data](), SeededNumbers(state: 1))
        var states = [0: values, log.end.count: values]
        for step in 0..<20 {
            var changes: [(name: String, value: Data?)] = []
            for change in 0...Int.random(in: 0...2, using: &random) {
                let name = "notes/\(Int.random(in: 0..<6, using: &random))"
                changes.append((name, change == 2 ? nil : Data("\"text \(step)\"".utf8)))
                values[name] = changes.last?.value
            }
            let record = LogFormat.record(changes, at: log.end)
            log = (log.bytes + record.bytes, record.end)
            states[log.end.count] = values
        }
        (self.log, self.states) = (log.bytes, states)
    }

    /// The size of the readable part of a damaged log: the records before the first byte that differs.
    private func intactCount(of damaged: [UInt8]) -> Int {
        var same = 0
        while same < min(log.count, damaged.count), log[same] == damaged[same] { same += 1 }
        return states.keys.filter { $0 <= same }.max() ?? 0
    }

    /// A log with damage of a random kind, and how many bytes that is.
    private func damaged(using random: inout SeededNumbers, upTo most: Int) -> (log: [UInt8], count: Int) {
        var bytes = log
        let start = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...most, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0:  // anywhere
            for _ in start..<end {
                bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
        case 1:  // side by side
            for index in start..<end { bytes[index] = .random(in: 0...255, using: &random) }
        case 2:  // the end is zero, as after a loss of power
            for index in start..<bytes.count { bytes[index] = 0 }
            return (bytes, bytes.count - start)
        default:  // something is lost
            bytes.removeSubrange(start..<end)
        }
        return (bytes, end - start)
    }

    /// `STORAGE_DAMAGE=<count>` damages more bytes.
    @Test func aMillionDamagedBytes_neverLeadToAWrongValue() {
        var (count, seed) = (0, UInt64(0))
        while count < number(fromEnvironment: "STORAGE_DAMAGE", otherwise: 1_000_000) {
            var random = SeededNumbers(state: seed)
            let damage = damaged(using: &random, upTo: 600)
            let (content, intact) = (LogFormat.read(damage.log), intactCount(of: damage.log))
            guard content.end.count == intact, content.values == states[intact] else {
                Issue.record("seed \(seed): \(content.end.count) bytes of \(intact), or a wrong value")
                return
            }
            (count, seed) = (count + damage.count, seed + 1)
        }
    }

    @Test func damagedEnd_isReportedAndKeptInAFileOfItsOwn() async throws {
        for seed in 0..<UInt64(60) {
            var random = SeededNumbers(state: seed)
            try await check(damaged(using: &random, upTo: 20).log, "seed \(seed)")
        }
    }

    @Test func log_thatEndsAnywhere_hasTheTransactionsBefore() async throws {
        let last = try #require(states.keys.filter { $0 < log.count }.max())
        for count in Array(0...LogFormat.headerCount) + Array(last...log.count) {
            try await check(Array(log[..<count]), "\(count) bytes")
        }
    }

    /// Opens a damaged log, saves something, and opens it again.
    private func check(_ bytes: [UInt8], _ name: String) async throws {
        let folder = try TestFolder()
        let intact = intactCount(of: bytes)
        try folder.write(bytes, to: "log")
        let damage = bytes.count - intact
        do {
            let store = try LogStore(in: folder.path)
            #expect(store.values.encoded == states[intact], "\(name)")
            #expect(store.damage?.count == (damage == 0 ? nil : damage), "\(name)")
            if let file = store.damage?.file {
                #expect(file == "\(folder.path)/damaged-1")
                #expect(try folder["damaged-1"] == Array(bytes[intact...]), "\(name)")
            }
            try await store.save(7, as: "later")
        }
        let again = try LogStore(in: folder.path)
        #expect(again.damage == nil, "\(name)")
        #expect(try again.values.value(for: number("later")) == 7, "\(name)")
        #expect(again.values.encoded.count == (states[intact]?.count ?? 0) + 1, "\(name)")
    }

    @Test func secondDamage_isKeptBesideTheFirst() throws {
        for count in 1...3 {
            try folder.write(log + Array(repeating: 1, count: count), to: "log")
            let damage = try LogStore(in: folder.path).damage
            #expect(damage == Storage.Damage(file: "\(folder.path)/damaged-\(count)", count: count))
        }
        #expect(try folder.files == ["damaged-1", "damaged-2", "damaged-3", "lock", "log"])
        #expect(
            Storage.Damage(file: "damaged-1", count: 3).description == """
                The last 3 bytes of the stored data could not be read, and what they held is missing. They are kept in \
                damaged-1.
                """)
    }
}
