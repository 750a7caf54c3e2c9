import Foundation

// ISO 8601 as RFC 3339 profiles it: `2026-01-31T09:30:00Z`, with a fraction of the second if need be, and with
// `Z` or an offset such as `+02:00`. `Date.ISO8601FormatStyle` overlooks what follows a date, and cuts the fraction to
// milliseconds without rounding, so a date would not survive its way through a link.
extension Date {
    /// Reads a date, or is nil where the text is not one.
    init?(internetDate text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 64, bytes[10] == UInt8(ascii: "T") else { return nil }
        var fraction = 0.0
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: ".") {
            let digits = zone.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let value = Double("0." + String(decoding: digits, as: UTF8.self)), !digits.isEmpty
            else { return nil }
            fraction = value
            zone = zone[digits.endIndex...]
        }
        let isOffset = zone.count == 6 && "+-".utf8.contains(bytes[zone.startIndex])
        guard isOffset || zone.elementsEqual("Z".utf8) else { return nil }
        let wholeSeconds = String(decoding: bytes[..<19] + zone, as: UTF8.self)
        guard let date = try? Date(wholeSeconds, strategy: .iso8601) else { return nil }
        self.init(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + fraction)
    }

    /// The date in UTC with as many digits as tell it from every other, or nil where it is too far away to be written.
    var internetDate: String? {
        let seconds = timeIntervalSinceReferenceDate.rounded(.down)
        let fraction = timeIntervalSinceReferenceDate - seconds
        let wholeSeconds = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
        guard wholeSeconds.utf8.count == 20, Date(internetDate: wholeSeconds) != nil else { return nil }
        guard fraction > 0 else { return wholeSeconds }
        for digits in [3, 6, 9, 18] {
            let written = fraction.formatted(
                .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US_POSIX")))
            guard written.hasPrefix("0.") else { continue }
            let text = wholeSeconds.dropLast() + written.dropFirst() + "Z"
            if Date(internetDate: String(text)) == self { return String(text) }
        }
        return nil
    }
}
