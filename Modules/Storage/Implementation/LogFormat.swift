import Foundation

/// The bytes of a log, in version 1 of its format.
///
/// ```
/// log       header record*
/// header    "SWSTORE\n" version:UInt32 checksum           the same in all versions
/// record    length:UInt64 change* checksum                a transaction; the length is that of the changes
/// change    length:UInt64 name:UTF-8 length:UInt64 JSON   a value that is set
///           length:UInt64 name:UTF-8 0xFFFFFFFFFFFFFFFF   a value that is removed
/// checksum  UInt32 of all that is before it in the log but checksums
/// ```
///
/// Numbers are little-endian. The checksum is CRC-32 as IEEE 802.3 defines it, which misses no damage of up to 32 adjacent
/// bits and one in 2³² of the others. It continues from record to record, so that it also detects a missing one.
enum LogFormat {
    static let version: UInt32 = 1
    static let headerCount = 16
    private static let magic = Array("SWSTORE\n".utf8)
    private static let removal = UInt64.max

    /// The end of a log, where the next record begins.
    struct End {
        /// The size of the log.
        var count: Int
        /// Its last checksum.
        var checksum: UInt32
    }

    /// A log without records.
    static func header(version: UInt32 = version) -> (bytes: [UInt8], end: End) {
        let start = magic + bytes(version)
        let sum = checksum(start[...])
        return (start + bytes(sum), End(count: headerCount, checksum: sum))
    }

    /// A record of changes: new values by name, nil for those to be removed.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - end: The position at which the record begins.
    /// - Returns: The record, and its end.
    static func record(_ changes: [(name: String, value: Data?)], at end: End) -> (bytes: [UInt8], end: End) {
        var body: [UInt8] = []
        for change in changes {
            body += bytes(UInt64(change.name.utf8.count)) + change.name.utf8
            body += bytes(change.value.map { UInt64($0.count) } ?? removal)
            if let value = change.value { body += value }
        }
        body.insert(contentsOf: bytes(UInt64(body.count)), at: 0)
        let sum = checksum(body[...], after: end.checksum)
        body += bytes(sum)
        return (body, End(count: end.count + body.count, checksum: sum))
    }

    /// A log of values, each in a record of its own, so that a later damage spoils few of them.
    static func log(of values: [String: Data]) -> (bytes: [UInt8], end: End) {
        values.reduce(into: header()) { log, value in
            let record = record([(value.key, value.value)], at: log.end)
            log.bytes += record.bytes
            log.end = record.end
        }
    }

    /// The size of a log of values.
    static func size(of values: [String: Data]) -> Int {
        values.reduce(headerCount) { $0 + 28 + $1.key.utf8.count + $1.value.count }
    }

    /// The readable content of a log.
    struct Content {
        /// The version in the header; nil when that is damaged.
        var version: UInt32?
        /// The values after the last intact record.
        var values: [String: Data] = [:]
        /// The end of the header and the intact records.
        var end = End(count: 0, checksum: 0)
    }

    /// Reads a log up to the first damage.
    static func read(_ log: [UInt8]) -> Content {
        var content = Content()
        var rest = Reader(log[...])
        guard rest.take(UInt64(magic.count))?.elementsEqual(magic) == true,
            let version = rest.number(UInt32.self), let sum = rest.number(UInt32.self),
            sum == checksum(log[..<(headerCount - 4)])
        else { return content }
        content.version = version
        content.end = End(count: headerCount, checksum: sum)
        guard version == Self.version else { return content }
        while let record = record(in: &rest, at: content.end) {
            for change in record.changes { content.values[change.name] = change.value }
            content.end = record.end
        }
        return content
    }

    private static func record(
        in rest: inout Reader, at end: End
    ) -> (changes: [(name: String, value: Data?)], end: End)? {
        let start = rest.bytes
        guard let length = rest.number(UInt64.self), let body = rest.take(length),
            let sum = rest.number(UInt32.self), sum == checksum(start[..<body.endIndex], after: end.checksum)
        else { return nil }
        var (changes, reader): ([(name: String, value: Data?)], Reader) = ([], Reader(body))
        while !reader.bytes.isEmpty {
            guard let count = reader.number(UInt64.self), let name = reader.take(count),
                let name = String(validating: name, as: UTF8.self), let count = reader.number(UInt64.self)
            else { return nil }
            if count == removal {
                changes.append((name, nil))
            } else {
                guard let value = reader.take(count) else { return nil }
                changes.append((name, Data(value)))
            }
        }
        return (changes, End(count: rest.bytes.startIndex, checksum: sum))
    }

    /// The CRC-32 of bytes, or of those that follow others whose checksum is known.
    static func checksum(_ bytes: ArraySlice<UInt8>, after sum: UInt32 = 0) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var remainder = ~sum
                for byte in bytes {
                    remainder = remainder >> 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
                }
                return ~remainder
            }
        }
    }

    /// The remainders of all bytes by the polynomial 0x04C11DB7, with the bits of both reversed.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { remainder, _ in remainder >> 1 ^ (remainder & 1) * 0xEDB8_8320 }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// Takes bytes from the front of others.
private struct Reader {
    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Takes a number of bytes; nil if there are fewer.
    mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(Int(count)) }
        return bytes.prefix(Int(count))
    }

    /// Takes a little-endian number.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type = Number.self) -> Number?
    {
        take(UInt64(Number.bitWidth / 8))?.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
