import Foundation

// ISO 8601 as RFC 3339 profiles it: `2026-01-31T09:30:00Z`, with a fraction of the second if need be, and with
// `Z` or an offset such as `+02:00`. `Date.ISO8601FormatStyle` takes the 31st of February and any text after a date,
// and cuts fractions to milliseconds without rounding, so that a date would not survive its way through a link.
extension Date {
    /// Reads a date, or is nil where the text is not one.
    init?(internetDate text: String) {
        var rest = text.utf8[...]
        guard text.utf8.count <= 64, let year = rest.number(ofDigits: 4), rest.skip("-"),
            let month = rest.number(ofDigits: 2), (1...12).contains(month), rest.skip("-"),
            let day = rest.number(ofDigits: 2), (1...Self.days(in: month, of: year)).contains(day),
            rest.skip("T"),
            let hour = rest.number(ofDigits: 2), hour < 24, rest.skip(":"),
            let minute = rest.number(ofDigits: 2), minute < 60, rest.skip(":"),
            let second = rest.number(ofDigits: 2), second < 60,
            let fraction = rest.fraction(), let offset = rest.offset(), rest.isEmpty
        else { return nil }
        let seconds = ((Self.dayNumber(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// The date in UTC with as many digits as tell it from every other, or nil outside of the years 0 to 9999.
    var internetDate: String? {
        let seconds = timeIntervalSinceReferenceDate.rounded(.down)
        guard let firstSecond = Date(internetDate: "0000-01-01T00:00:00Z"),
            let lastSecond = Date(internetDate: "9999-12-31T23:59:59Z"),
            (firstSecond...lastSecond).contains(Date(timeIntervalSinceReferenceDate: seconds))
        else { return nil }
        let (days, time) = Int(seconds).quotientRoundedDown(by: 86_400)
        let (year, month, day) = Self.calendarDay(days)
        let date = "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
        let clock = "\((time / 3_600).digits(2)):\((time / 60 % 60).digits(2)):\((time % 60).digits(2))"
        let fraction = timeIntervalSinceReferenceDate - seconds
        guard fraction > 0 else { return "\(date)T\(clock)Z" }
        for count in [3, 6, 9, 18] {
            let digits = (fraction * pow(10, Double(count))).rounded()
            guard digits < pow(10, Double(count)) else { continue }
            let text = "\(date)T\(clock).\(Int(digits).digits(count))Z"
            if Date(internetDate: text) == self { return text }
        }
        return nil
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeapYear = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    // Both directions after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years that begin in March,
    // in eras of 400 years or 146,097 days. 2001-01-01, the reference date, is day 730,791 after 0000-03-01.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).quotientRoundedDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
    }

    private static func calendarDay(_ number: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (number + 730_791).quotientRoundedDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Substring.UTF8View {
    fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func number(ofDigits count: Int) -> Int? {
        let digits = prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        removeFirst(count)
        return Int(Substring(digits))
    }

    /// The fraction of the second, 0 where there is none.
    fileprivate mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let digits = prefix(while: \.isDigit)
        removeFirst(digits.count)
        return digits.isEmpty ? nil : Double("0.\(Substring(digits))")
    }

    /// The minutes east of Greenwich.
    fileprivate mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let isWest = first == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = number(ofDigits: 2), hours < 24, skip(":"),
            let minutes = number(ofDigits: 2), minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension Int {
    /// The quotient and a remainder that is not negative.
    fileprivate func quotientRoundedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    fileprivate func digits(_ count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
