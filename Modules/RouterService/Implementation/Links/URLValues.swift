import Foundation
import RouterServiceInterface

enum URLLimit {
    static let names = "A URL carries a route's values by their names (coding keys) only."
    static let list = "A value of a URL is text and cannot hold others."
    static let object = "A value of a URL is text and cannot hold others by name."
}

/// The coding of values of one type as text in a URL.
struct URLValueCoding: Sendable {
    /// A description of the valid texts, for messages: "a whole number from 0 to 255".
    let description: String
    let read: @Sendable (String) -> Any?
    /// Writes a value; nil where the text could not be read again.
    let write: @Sendable (Any) -> String?

    private init<Value: Sendable>(
        _: Value.Type, _ description: String, read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String?
    ) {
        self.description = description
        self.read = read
        self.write = { ($0 as? Value).flatMap(write) }
    }

    /// The coding of a type; nil for types that are coded by their `Codable` conformances.
    static func of(_ type: Any.Type) -> URLValueCoding? { table[ObjectIdentifier(type)] }

    private static let table: [ObjectIdentifier: URLValueCoding] = [
        ObjectIdentifier(String.self): URLValueCoding(String.self, "text", read: { $0 }, write: { $0 }),
        ObjectIdentifier(Bool.self): URLValueCoding(
            Bool.self, "'true', 'false', '1' or '0'",
            read: { ["true": true, "1": true, "false": false, "0": false][$0] }, write: { $0.description }),
        ObjectIdentifier(Int.self): integer(Int.self), ObjectIdentifier(Int8.self): integer(Int8.self),
        ObjectIdentifier(Int16.self): integer(Int16.self), ObjectIdentifier(Int32.self): integer(Int32.self),
        ObjectIdentifier(Int64.self): integer(Int64.self),
        ObjectIdentifier(Int128.self): integer(Int128.self),
        ObjectIdentifier(UInt.self): integer(UInt.self), ObjectIdentifier(UInt8.self): integer(UInt8.self),
        ObjectIdentifier(UInt16.self): integer(UInt16.self),
        ObjectIdentifier(UInt32.self): integer(UInt32.self),
        ObjectIdentifier(UInt64.self): integer(UInt64.self),
        ObjectIdentifier(UInt128.self): integer(UInt128.self),
        ObjectIdentifier(Double.self): floatingPoint(Double.self),
        ObjectIdentifier(Float.self): floatingPoint(Float.self),
        ObjectIdentifier(Decimal.self): URLValueCoding(
            Decimal.self, "a decimal number of at most 38 digits", read: decimal,
            write: { $0.isFinite ? $0.description : nil }),
        ObjectIdentifier(UUID.self): URLValueCoding(
            UUID.self, "a UUID", read: { UUID(uuidString: $0) }, write: { $0.uuidString }),
        ObjectIdentifier(URL.self): URLValueCoding(
            URL.self, "a URL", read: { URL(string: $0) }, write: { $0.absoluteString }),
    ]

    private static func integer<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) -> URLValueCoding {
        URLValueCoding(
            type, "a whole number from \(Value.min) to \(Value.max)", read: { Value($0, radix: 10) },
            write: { String($0) })
    }

    private static func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible & Sendable>(
        _ type: Value.Type
    ) -> URLValueCoding {
        URLValueCoding(
            type, "a finite number that a \(Value.self) can hold",
            read: { text in isDecimal(text) ? Value(text).flatMap { $0.isFinite ? $0 : nil } : nil },
            write: { $0.isFinite ? $0.description : nil })
    }

    private static func decimal(_ text: String) -> Decimal? {
        // `Decimal(string:)` would read the digits at the start, and ignore the rest.
        guard isDecimal(text), Double(text) != nil else { return nil }
        // A decimal holds 38 digits, and would round others away.
        let digits = text.prefix { !"eE".contains($0) }.filter(\.isNumber).drop { $0 == "0" }
        guard digits.reversed().drop(while: { $0 == "0" }).count <= 38 else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).flatMap {
            $0.isFinite ? $0 : nil
        }
    }

    private static func isDecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0)
        }
    }
}
