import Foundation
import RouterServiceInterface

/// Reads a log in pieces, and resumes after damage.
///
/// The checksum of a record depends on those before it only through the last of their checksums, which are the four bytes
/// before the record. So what follows damage can be verified.
struct LogReader {
    /// The version in the header, or nil when that is damaged; nothing else is read of a newer version.
    private(set) var version: UInt32?
    /// The values after the last intact record.
    private(set) var values: [Identifier: Data] = [:]
    /// The end of the intact records.
    private(set) var end = LogFormat.header().end
    /// Whether the log is as it was written.
    private(set) var isIntact = true
    /// The bytes that belong to no intact record.
    private(set) var damage: [Range<Int>] = []
    /// The number of records among them, at least.
    private(set) var lostCount = 0
    /// The names of the values that they changed, where these can be read.
    private(set) var lostNames: Set<Identifier> = []

    private let file: File
    private let count: Int
    private var piece: (start: Int, bytes: [UInt8]) = (0, [])

    /// The size of the pieces.
    private static let pieceCount = 1 << 20

    /// Reads all intact records of a log.
    init(_ file: File) throws(SystemError) {
        (self.file, count) = (file, try file.count())
        version = try bytes(0..<LogFormat.headerCount).flatMap(LogFormat.version(inHeader:))
        if let version, version > LogFormat.version { return }
        isIntact = version == LogFormat.version
        // A file without bytes is new; one with a part of the header had records, which are lost.
        if 1..<LogFormat.headerCount ~= count { try lose(0..<count) }
        while end.count < count {
            if let record = try record(at: end) {
                for change in record.changes { values[change.name] = change.value }
                end = record.end
            } else {
                let next = try nextEnd(after: end.count)
                try lose(end.count..<(next?.count ?? count))
                guard let next else { break }
                end = next
            }
        }
    }

    /// A report of the damage, in words for the user.
    func report(keptIn path: String) -> String {
        let names = lostNames.sorted().prefix(3).map { "'\($0)'" } + (lostNames.count > 3 ? ["…"] : [])
        return "A part of the stored data cannot be read: "
            + (lostCount == 1 ? "1 change is lost" : "\(lostCount) changes are lost")
            + (names.isEmpty ? "." : " (\(names.joined(separator: ", "))).")
            + " The \(damage.reduce(0) { $0 + $1.count }) unreadable bytes are kept in \(path)."
    }

    /// The record at a position; nil if it is damaged.
    ///
    /// Where only its checksum is damaged, the next record proves that, for it depends on the right one.
    private mutating func record(
        at start: LogFormat.End, withChecksum needsChecksum: Bool = false
    ) throws(SystemError) -> (changes: [LogFormat.Change], end: LogFormat.End)? {
        guard let length = try length(at: start.count),
            let bytes = try bytes(start.count..<start.count + 12 + length)
        else { return nil }
        let (changes, isWhole) = LogFormat.changes(in: bytes.dropFirst(8).dropLast(4))
        guard isWhole else { return nil }
        let sum = LogFormat.checksum(bytes.dropLast(4), after: start.checksum)
        let end = LogFormat.End(count: start.count + bytes.count, checksum: sum)
        if LogFormat.number(in: bytes.suffix(4)) != sum {
            guard !needsChecksum, try record(at: end, withChecksum: true) != nil else { return nil }
            isIntact = false
        }
        return (changes, end)
    }

    /// The length of a record's changes; nil where it cannot be one.
    private mutating func length(at offset: Int) throws(SystemError) -> Int? {
        guard let bytes = try bytes(offset..<offset + 8),
            let length = LogFormat.number(in: bytes, UInt64.self)
        else { return nil }
        return LogFormat.lengths ~= length ? Int(length) : nil
    }

    /// The next position at which an intact record begins.
    private mutating func nextEnd(after damage: Int) throws(SystemError) -> LogFormat.End? {
        var start = damage + 1 - 4
        while start + 12 <= count, let piece = try bytes(start..<min(count, start + Self.pieceCount)) {
            for offset in Self.offsetsOfLengths(in: piece) {
                let checksum: UInt32 = LogFormat.number(in: piece.dropFirst(offset - 4)) ?? 0
                let end = LogFormat.End(count: start + offset, checksum: checksum)
                if try record(at: end) != nil { return end }
            }
            start += piece.count - 11
        }
        return nil
    }

    /// The offsets behind a checksum at which there is a possible length.
    private static func offsetsOfLengths(in piece: ArraySlice<UInt8>) -> [Int] {
        piece.withUnsafeBytes { piece in
            // Most of a large damage is zero.
            if let start = piece.baseAddress, piece[0] == 0, memcmp(start, start + 1, piece.count - 1) == 0 {
                return []
            }
            return (4...piece.count - 8).filter {
                LogFormat.lengths
                    ~= UInt64(littleEndian: piece.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
    }

    /// Counts the records in damaged bytes, and reads names where they are intact.
    private mutating func lose(_ range: Range<Int>) throws(SystemError) {
        isIntact = false
        damage.append(range)
        var offset = range.lowerBound
        while offset < range.upperBound {
            lostCount += 1
            let length = try length(at: offset)
            let end = min(range.upperBound, offset + 8 + (length ?? Self.pieceCount))
            if offset + 8 < end, let body = try bytes(offset + 8..<end) {
                lostNames.formUnion(LogFormat.changes(in: body).changes.map(\.name))
            }
            offset = length == nil ? range.upperBound : end + 4
        }
        lostNames.remove("")
    }

    /// Bytes of the file; nil if it has fewer.
    private mutating func bytes(_ range: Range<Int>) throws(SystemError) -> ArraySlice<UInt8>? {
        guard range.upperBound <= count else { return nil }
        if range.lowerBound < piece.start || range.upperBound > piece.start + piece.bytes.count {
            let end = min(count, max(range.upperBound, range.lowerBound + Self.pieceCount))
            piece = (range.lowerBound, try file.read(range.lowerBound..<end))
        }
        return piece.bytes[range.lowerBound - piece.start..<range.upperBound - piece.start]
    }
}
