import Foundation

/// A piece of a URL, in which percent-encoding may stand.
struct EncodedText: Sendable {
    /// The piece as it stands in the URL.
    let text: Substring
    /// The text that the piece stands for, or nil where it is not percent-encoded UTF-8.
    let decoded: Substring?

    init(_ text: Substring) {
        self.text = text
        decoded = text.utf8.contains(UInt8(ascii: "%")) ? Self.decode(text) : text
    }

    /// Whether the piece can be one segment of a path.
    var canStandInPath: Bool { decoded.map(Self.canStandInPath) ?? true }

    private static func decode(_ text: Substring) -> Substring? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        // Invalid bytes are replaced here. Foundation's `String(bytes:encoding:)` tells them, but drops a leading byte
        // order mark, which belongs to the value.
        let decoded = String(decoding: bytes, as: UTF8.self)
        return decoded.utf8.elementsEqual(bytes) ? decoded[...] : nil
    }

    /// A text as it stands in a path or as a value of a query.
    ///
    /// Everything is percent-encoded that has a meaning in either, and `+`, which some readers take for a space.
    static func encode(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: ","):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text can be one segment of a path: other programs rewrite paths with empty or dotted segments.
    static func canStandInPath(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text != "." && text != ".."
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
