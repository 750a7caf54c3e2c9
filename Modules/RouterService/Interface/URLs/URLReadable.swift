import Foundation

/// A type whose values stand in a URL as text of their own.
protocol URLReadable {
    /// What a text must be, for messages: "a whole number from 0 to 255".
    static var urlDescription: String { get }

    /// Reads the text, or is nil where it is not such a value.
    init?(urlText: String)

    /// The text, or nil where the value cannot be read back from one.
    var urlText: String? { get }
}

extension String: URLReadable {
    static var urlDescription: String { "text" }
    init(urlText: String) { self = urlText }
    var urlText: String? { self }
}

extension Bool: URLReadable {
    static var urlDescription: String { "'true', 'false', '1' or '0'" }

    init?(urlText: String) {
        switch urlText {
        case "true", "1": self = true
        case "false", "0": self = false
        default: return nil
        }
    }

    var urlText: String? { description }
}

extension URLReadable where Self: FixedWidthInteger {
    static var urlDescription: String { "a whole number from \(min) to \(max)" }
    init?(urlText: String) { self.init(urlText, radix: 10) }
    var urlText: String? { String(self) }
}

extension Int: URLReadable {}
extension Int8: URLReadable {}
extension Int16: URLReadable {}
extension Int32: URLReadable {}
extension Int64: URLReadable {}
extension UInt: URLReadable {}
extension UInt8: URLReadable {}
extension UInt16: URLReadable {}
extension UInt32: URLReadable {}
extension UInt64: URLReadable {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: URLReadable {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: URLReadable {}

extension URLReadable where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static var urlDescription: String { "a finite number that a \(Self.self) can hold" }

    init?(urlText: String) {
        guard urlText.isDecimalNumber, let value = Self(urlText), value.isFinite else { return nil }
        self = value
    }

    var urlText: String? { isFinite ? description : nil }
}

extension Double: URLReadable {}
extension Float: URLReadable {}

extension Decimal: URLReadable {
    static var urlDescription: String { "a decimal number" }

    init?(urlText: String) {
        // `Decimal(string:)` would read the digits at the start and overlook what follows.
        guard urlText.isDecimalNumber, Double(urlText) != nil,
            let value = Decimal(string: urlText, locale: Locale(identifier: "en_US_POSIX")), value.isFinite
        else { return nil }
        self = value
    }

    var urlText: String? { isFinite ? description : nil }
}

extension UUID: URLReadable {
    static var urlDescription: String { "a UUID" }
    init?(urlText: String) { self.init(uuidString: urlText) }
    var urlText: String? { uuidString }
}

extension URL: URLReadable {
    static var urlDescription: String { "a URL" }
    init?(urlText: String) { self.init(string: urlText) }
    var urlText: String? { absoluteString }
}

extension Date: URLReadable {
    static var urlDescription: String { "a date in ISO 8601, like 2026-01-31T09:30:00Z" }
    init?(urlText: String) { self.init(internetDate: urlText) }
    var urlText: String? { internetDate }
}

extension String {
    /// Whether the text has the characters of a decimal number only; 'nan' and hexadecimal numbers have others.
    fileprivate var isDecimalNumber: Bool {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0) }
    }
}
