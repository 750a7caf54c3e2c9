import Foundation

/// Reads a log in pieces, and resumes after damage.
///
/// The checksum of a record depends on those before it only through the last of their checksums, which are the four bytes
/// before the record. So what follows damage can be verified.
struct LogReader {
    /// The content of a log.
    struct Content {
        /// The version in the header; nil when that is damaged.
        var version: UInt32?
        /// The values after the last intact record.
        var values: [String: Data] = [:]
        /// The end of the intact records.
        var end = LogFormat.header().end
        /// Whether the log is as it was written.
        var isIntact = true
        /// The bytes that belong to no intact record.
        var damage: [Range<Int>] = []
        /// The number of records among them, at least.
        var lostCount = 0
        /// The names of the values that they changed, where these can be read.
        var lostNames: Set<String> = []
    }

    private let file: File
    private let count: Int
    private var piece: (start: Int, bytes: [UInt8]) = (0, [])
    private var content = Content()

    /// The size of the pieces.
    static let pieceCount = 1 << 20

    /// Reads all intact records of a log.
    ///
    /// - Returns: The content; of a log in another version only that.
    static func read(_ file: File) throws(SystemError) -> Content {
        var reader = LogReader(file: file, count: try file.count())
        try reader.readRecords()
        return reader.content
    }

    private init(file: File, count: Int) { (self.file, self.count) = (file, count) }

    private mutating func readRecords() throws(SystemError) {
        let header = LogFormat.header()
        if let start = try bytes(0..<LogFormat.headerCount) {
            content.version = LogFormat.version(inHeader: start)
            guard content.version ?? 0 <= LogFormat.version else { return }
            content.isIntact = start.elementsEqual(header.bytes)
        } else {
            content.isIntact = false
        }
        var damage = content.isIntact ? nil : 0
        while content.end.count < count {
            if let record = try record(at: content.end) {
                if let start = damage { try lose(start..<content.end.count) }
                damage = nil
                for change in record.changes { content.values[change.name] = change.value }
                content.end = record.end
            } else {
                content.isIntact = false
                damage = damage ?? content.end.count
                guard let next = try nextEnd(after: content.end.count) else { break }
                content.end = next
            }
        }
        if let start = damage, start < count { try lose(start..<count) }
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
        if bytes.suffix(4).number() != sum {
            guard !needsChecksum, try record(at: end, withChecksum: true) != nil else { return nil }
            content.isIntact = false
        }
        return (changes, end)
    }

    /// The length of a record's changes; nil where it cannot be one.
    private mutating func length(at offset: Int) throws(SystemError) -> Int? {
        guard let length = try bytes(offset..<offset + 8)?.number(UInt64.self) else { return nil }
        return LogFormat.lengths ~= length ? Int(length) : nil
    }

    /// The next position at which an intact record begins.
    private mutating func nextEnd(after damage: Int) throws(SystemError) -> LogFormat.End? {
        var start = damage + 1 - 4
        while start + 12 <= count, let piece = try bytes(start..<min(count, start + Self.pieceCount)) {
            // Most of a large damage is zero.
            let offsets =
                piece.isZero
                ? []
                : piece.withUnsafeBytes { piece in
                    (4...piece.count - 8).filter {
                        LogFormat.lengths
                            ~= UInt64(littleEndian: piece.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
                    }
                }
            for offset in offsets {
                guard let checksum = piece.dropFirst(offset - 4).number(UInt32.self) else { continue }
                let end = LogFormat.End(count: start + offset, checksum: checksum)
                if try record(at: end) != nil { return end }
            }
            start += piece.count - 11
        }
        return nil
    }

    /// Counts the records in damaged bytes, and reads names where they are intact.
    private mutating func lose(_ range: Range<Int>) throws(SystemError) {
        // Nothing is lost with a header.
        if range.upperBound == LogFormat.headerCount { return }
        content.damage.append(range)
        var offset = range.lowerBound == 0 ? min(LogFormat.headerCount, range.upperBound) : range.lowerBound
        repeat {
            content.lostCount += 1
            let length = try length(at: offset)
            let end = min(range.upperBound, offset + 8 + (length ?? Self.pieceCount))
            if offset + 8 < end, let body = try bytes(offset + 8..<end) {
                content.lostNames.formUnion(LogFormat.changes(in: body).changes.map(\.name))
            }
            offset = length == nil ? range.upperBound : end + 4
        } while offset < range.upperBound
        content.lostNames.remove("")
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
