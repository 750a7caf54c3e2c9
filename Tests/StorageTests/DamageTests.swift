import Foundation
import RouterServiceInterface
import StorageInterface
import Testing

@testable import StorageImplementation

/// However a log's bytes are damaged, its intact records are read, and the damaged log is kept under another name.
@Suite(.timeLimit(.minutes(5)))
struct DamageTests {
    private struct Record {
        let range: Range<Int>
        let changes: [LogFormat.Change]
    }

    private let folder: TestFolder
    /// The log of some transactions.
    private let log: [UInt8]
    private let records: [Record]

    init() throws {
        folder = try TestFolder()
        var (log, random, records) = (LogFormat.header(), SeededNumbers(state: 1), [Record]())
        for step in 0..<20 {
            let changes: [LogFormat.Change] = (0...Int.random(in: 0...2, using: &random)).map { change in
                let name: Identifier = "notes/\(Int.random(in: 0..<6, using: &random))"
                return (name, change == 2 ? nil : Data("\"text \(step)\"".utf8))
            }
            let record = LogFormat.record(changes, at: log.end)
            records.append(Record(range: log.end.count..<record.end.count, changes: changes))
            log = (log.bytes + record.bytes, record.end)
        }
        (self.log, self.records) = (log.bytes, records)
    }

    /// A log with damage.
    private struct Damaged {
        var log: [UInt8]
        /// The bytes of the log before that are not in it.
        var lost: Set<Int>
        /// Whether those behind them have moved.
        var isShorter = false
    }

    /// Changes bytes.
    private func damaged(_ indices: some Sequence<Int>, _ byte: () -> UInt8) -> Damaged {
        var bytes = log
        for index in indices { bytes[index] = byte() }
        return Damaged(log: bytes, lost: Set(log.indices.filter { log[$0] != bytes[$0] }))
    }

    /// Damage of a random kind.
    private func damaged(using random: inout SeededNumbers, upTo most: Int) -> Damaged {
        let start = Int.random(in: LogFormat.headerCount..<log.count, using: &random)
        let range = start..<min(log.count, start + Int.random(in: 1...most, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0:  // anywhere
            let indices = range.map { _ in Int.random(in: log.indices, using: &random) }
            return damaged(indices) { .random(in: 0...255, using: &random) }
        case 1:  // side by side
            return damaged(range) { .random(in: 0...255, using: &random) }
        case 2: return damaged(range) { 0 }
        case 3: return damaged(start..<log.count) { 0 }  // as after a loss of power
        default:
            let rest = log[..<range.lowerBound] + log[range.upperBound...]
            return Damaged(log: Array(rest), lost: Set(range), isShorter: true)
        }
    }

    /// The records that can be verified: the checksum before each is known, and that of the record itself, or of the next.
    private func verifiable(_ damage: Damaged) -> [Record] {
        func isIntact(_ range: Range<Int>) -> Bool { range.allSatisfy { !damage.lost.contains($0) } }
        var (found, end) = ([Record](), LogFormat.headerCount)
        for (index, record) in records.enumerated() {
            let range = record.range
            let follows = end == range.lowerBound
            let onlySum =
                !damage.isShorter && isIntact(range.dropLast(4)) && index + 1 < records.count
                && isIntact(records[index + 1].range)
            guard isIntact(range) || onlySum, follows || isIntact(range.lowerBound - 4..<range.lowerBound)
            else { continue }
            found.append(record)
            end = range.upperBound
        }
        return found
    }

    private func values(of records: [Record]) -> [Identifier: Data] {
        records.flatMap(\.changes).reduce(into: [:]) { $0[$1.name] = $1.value }
    }

    /// `STORAGE_DAMAGE=<count>` damages more bytes.
    @Test func damagedBytes_loseTheirRecords_andNoOthers() throws {
        var (count, seed) = (0, UInt64(0))
        while count < number(fromEnvironment: "STORAGE_DAMAGE", otherwise: 100_000) {
            var random = SeededNumbers(state: seed)
            let damage = damaged(using: &random, upTo: 300)
            let (content, intact) = (try LogReader.read(damage.log), verifiable(damage))
            let rest = damage.log.count - intact.reduce(LogFormat.headerCount) { $0 + $1.range.count }
            let damagedCount = content.damage.reduce(0) { $0 + $1.count }
            guard content.values == values(of: intact), damagedCount == rest,
                content.isIntact == damage.lost.isEmpty,
                (content.lostCount > 0) == (rest > 0)
            else {
                Issue.record(
                    "seed \(seed): \(damagedCount) damaged bytes instead of \(rest), or a wrong value")
                return
            }
            (count, seed) = (count + damage.lost.count, seed + 1)
        }
    }

    @Test func oneByte_losesOneRecord_whoseNamesAreReported() throws {
        for record in records {
            for index in record.range.dropLast(4) {
                let content = try LogReader.read(damaged([index]) { ~log[index] }.log)
                #expect(content.damage == [record.range], "byte \(index)")
                #expect(content.lostCount == 1, "byte \(index)")
                #expect(content.values == values(of: records.filter { $0.range != record.range }))
                // In the text of the first value, for example.
                if index == record.range.upperBound - 5, let last = record.changes.last, last.value != nil {
                    #expect(content.lostNames == Set(record.changes.map(\.name)))
                    let names = content.lostNames.sorted().map { "'\($0)'" }.joined(separator: ", ")
                    #expect(
                        content.report(keptIn: "file") == """
                            A part of the stored data cannot be read: 1 change is lost (\(names)). The \
                            \(record.range.count) unreadable bytes are kept in file.
                            """)
                }
            }
        }
    }

    @Test func damagedChecksum_losesNothing_unlessItIsTheLast() throws {
        for record in records {
            for index in record.range.suffix(4) {
                let content = try LogReader.read(damaged([index]) { ~log[index] }.log)
                #expect(!content.isIntact)
                #expect(content.damage == (record.range.upperBound == log.count ? [record.range] : []))
            }
        }
    }

    @Test func damagedHeader_losesNothing() throws {
        for index in 0..<LogFormat.headerCount {
            let content = try LogReader.read(damaged([index]) { ~log[index] }.log)
            #expect(!content.isIntact)
            #expect(content.damage.isEmpty)
            #expect(content.values == values(of: records))
        }
    }

    @Test func damage_isReportedAndTheLogIsKept() async throws {
        for seed in 0..<UInt64(60) {
            var random = SeededNumbers(state: seed)
            let damage = damaged(using: &random, upTo: 20)
            try await check(damage.log, values(of: verifiable(damage)), "seed \(seed)")
        }
    }

    @Test func log_thatEndsAnywhere_hasTheTransactionsBefore() async throws {
        let last = try #require(records.last?.range)
        for count in Array(0...LogFormat.headerCount) + Array(last.lowerBound...last.upperBound) {
            let intact = records.filter { $0.range.upperBound <= count }
            try await check(Array(log[..<count]), values(of: intact), "\(count) bytes")
        }
    }

    /// Opens a damaged log, saves something, and opens it again.
    private func check(_ bytes: [UInt8], _ expected: [Identifier: Data], _ name: String) async throws {
        let folder = try TestFolder()
        try folder.write(bytes, to: "log")
        let content = try LogReader.read(bytes)
        let isDamaged = !content.damage.isEmpty
        do {
            let store = try LogStore(in: folder.path)
            #expect(store.values.undamaged == expected, "\(name)")
            let report = content.report(keptIn: "\(folder.path)/damaged-1")
            #expect(store.values.damage == (isDamaged ? [report] : []), "\(name)")
            if isDamaged { #expect(try folder["damaged-1"] == bytes, "\(name)") }
            try await store.save(7, as: "later")
        }
        let again = try LogStore(in: folder.path)
        #expect(again.values.damage.count == (isDamaged ? 1 : 0), "\(name)")
        #expect(try again.values.value(for: number("later")) == 7, "\(name)")
        #expect(again.values.undamaged.count == expected.count + 1, "\(name)")
        #expect(try folder.files == (isDamaged ? ["damaged-1", "log"] : ["log"]))
    }

    @Test func secondDamage_isKeptBesideTheFirst() throws {
        for count in 1...3 {
            try folder.write(log + Array(repeating: 1, count: count), to: "log")
            let report = """
                A part of the stored data cannot be read: 1 change is lost. The \(count) unreadable bytes are kept \
                in \(folder.path)/damaged-\(count).
                """
            #expect(try LogStore(in: folder.path).values.damage == [report])
        }
        #expect(try folder.files == ["damaged-1", "damaged-2", "damaged-3", "log"])
    }
}
