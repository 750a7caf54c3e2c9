import Foundation

// ISO 8601 as RFC 3339 profiles it: `2026-01-31T09:30:00Z`, with a fraction of the second if need be, and with
// `Z` or an offset such as `+02:00`. `Date.ISO8601FormatStyle` alone takes the 31st of February and any text after a
// date, and cuts fractions to milliseconds, so that a date would not survive its way through a link. The calendar is
// Foundation's, which changes to the Julian one before 15 October 1582.
extension Date {
    /// Reads a date, or is nil where the text is not one.
    init?(internetDate text: String) {
        let form = /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits()
        guard text.utf8.count <= 64, let parts = text.wholeMatch(of: form)?.output,
            let fraction = Double("0\(parts.7 ?? ".0")"), let hoursEast = Int(parts.9 ?? "0"), hoursEast < 24,
            let minutesEast = Int(parts.10 ?? "0"), minutesEast < 60
        else { return nil }
        let components = DateComponents(
            calendar: .internet, year: Int(parts.1), month: Int(parts.2), day: Int(parts.3),
            hour: Int(parts.4),
            minute: Int(parts.5), second: Int(parts.6))
        guard components.isValidDate, let date = components.date else { return nil }
        let east = Double((hoursEast * 60 + minutesEast) * 60)
        // Added to the reference date's seconds, a fraction keeps the digits that the date can hold.
        let seconds = date.timeIntervalSinceReferenceDate.rounded() + (parts.8 == "-" ? east : -east)
        self.init(timeIntervalSinceReferenceDate: seconds + fraction)
    }

    /// The date in UTC with as many digits as tell it from every other, or nil outside of the years 1 to 9999.
    var internetDate: String? {
        let second = Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
        let wholeSeconds = second.formatted(.iso8601)
        guard Date(internetDate: wholeSeconds) == second else { return nil }
        let fraction = timeIntervalSinceReferenceDate - second.timeIntervalSinceReferenceDate
        guard fraction > 0 else { return wholeSeconds }
        for count in [3, 6, 9, 18] {
            let digits = (fraction * pow(10, Double(count))).rounded()
            guard digits < pow(10, Double(count)) else { continue }
            let padding = String(repeating: "0", count: max(0, count - String(Int(digits)).count))
            let text = "\(wholeSeconds.dropLast()).\(padding)\(Int(digits))Z"
            if Date(internetDate: text) == self { return text }
        }
        return nil
    }
}

extension Calendar {
    fileprivate static var internet: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}
