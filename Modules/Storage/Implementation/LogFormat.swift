import Foundation
import RouterServiceInterface

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

    /// The possible lengths of a record's changes: larger records are refused, so that a damaged length takes no more memory.
    static let lengths: ClosedRange<UInt64> = 16...1 << 28

    /// A value that is set, or nil for one that is removed.
    typealias Change = (name: Identifier, value: Data?)

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

    /// A record of changes that begins at the end of a log, and the end behind it.
    static func record(_ changes: [Change], at end: End) -> (bytes: [UInt8], end: End) {
        var body: [UInt8] = []
        for change in changes {
            body += bytes(UInt64(change.name.text.utf8.count)) + change.name.text.utf8
            body += bytes(change.value.map { UInt64($0.count) } ?? removal)
            if let value = change.value { body += value }
        }
        body.insert(contentsOf: bytes(UInt64(body.count)), at: 0)
        let sum = checksum(body[...], after: end.checksum)
        body += bytes(sum)
        return (body, End(count: end.count + body.count, checksum: sum))
    }

    /// A log of values, each in a record of its own, so that a later damage spoils few of them.
    static func log(of values: [Identifier: Data]) -> (bytes: [UInt8], end: End) {
        values.reduce(into: header()) { log, value in
            let record = record([(value.key, value.value)], at: log.end)
            log.bytes += record.bytes
            log.end = record.end
        }
    }

    /// The size of a log of values.
    static func size(of values: [Identifier: Data]) -> Int {
        values.reduce(headerCount) { $0 + 28 + $1.key.text.utf8.count + $1.value.count }
    }

    /// The version in an intact header.
    static func version(inHeader bytes: ArraySlice<UInt8>) -> UInt32? {
        guard let version = number(in: bytes.dropFirst(magic.count), UInt32.self),
            bytes.elementsEqual(header(version: version).bytes)
        else { return nil }
        return version
    }

    /// Reads the changes of a record up to the first that is damaged.
    static func changes(in body: ArraySlice<UInt8>) -> (changes: [Change], isWhole: Bool) {
        var (changes, rest) = ([Change](), body)
        while !rest.isEmpty {
            guard let count: UInt64 = read(8, of: &rest).flatMap({ number(in: $0) }),
                let name = read(count, of: &rest), let name = String(validating: name, as: UTF8.self),
                let count: UInt64 = read(8, of: &rest).flatMap({ number(in: $0) })
            else { return (changes, false) }
            let value = count == removal ? nil : read(count, of: &rest)
            changes.append((Identifier(name), value.map { Data($0) }))
            if value == nil, count != removal { return (changes, false) }
        }
        return (changes, true)
    }

    /// The CRC-32 of bytes, or of those that follow others whose checksum is known.
    static func checksum(_ bytes: ArraySlice<UInt8>, after sum: UInt32 = 0) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBytes { bytes in
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
        (0..<8).reduce(byte) { remainder, _ in remainder >> 1 ^ (remainder & 1) * 0xEDB8_8320 }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Takes a number of bytes from the front of others; nil if there are fewer.
    private static func read(_ count: UInt64, of bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= bytes.count else { return nil }
        defer { bytes.removeFirst(Int(count)) }
        return bytes.prefix(Int(count))
    }

    /// The little-endian number at the beginning of bytes; nil if there are too few.
    static func number<Number: FixedWidthInteger>(
        in bytes: ArraySlice<UInt8>, _: Number.Type = Number.self
    ) -> Number? {
        guard bytes.count >= Number.bitWidth / 8 else { return nil }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }
}
