import DisplayInterface

/// A key of a terminal's keyboard, text that was typed or pasted, or a move of the mouse.
enum Key: Equatable, Sendable {
    /// Characters that were typed, as many as arrived together.
    case text(String)
    case paste(String)
    /// A paste that is too long for any field, with its size in bytes.
    case oversizedPaste(Int)
    case enter, tab, backTab, escape
    case up, down, left, right, wordLeft, wordRight, home, end, pageUp, pageDown
    case backspace, delete, eraseWord, eraseToStart, eraseToEnd
    /// Ctrl-C.
    case interrupt
    /// Ctrl-Z.
    case suspend
    /// Ctrl-L.
    case redraw
    /// Ctrl and a letter that stands for no other key.
    case control(Character)
    /// A click, at a column and a row from 0.
    case click(column: Int, row: Int)
    /// A turn of the wheel, by lines.
    case scroll(Int)
}

/// Turns the bytes that a terminal sends into keys.
///
/// The sequences are those of ECMA-48 and of xterm's `ctlseqs`. A sequence may arrive in pieces, so the bytes
/// that do not yet make a key are kept; whether an Escape stands alone must be decided by time, with
/// ``flush()``. Unknown sequences, replies of the terminal and keys held together with Alt are ignored.
struct KeyParser {
    private var waiting: [UInt8] = []
    private var paste: Paste?
    /// The most bytes that may still follow of a control string, such as a terminal's reply; 0 outside of one.
    private var leftOfString = 0

    /// The length of the longest known sequence; a longer one is noise.
    private static let longestSequence = 32
    /// The length of the longest control string.
    private static let longestString = 65_536

    /// Whether an Escape has arrived that may be the start of a sequence.
    var isWaitingForMore: Bool { paste == nil && waiting.first == 0x1B }

    /// The keys that these bytes complete.
    mutating func parse(_ bytes: some Collection<UInt8>) -> [Key] {
        var keys: [Key] = []
        var typed = String.UnicodeScalarView()
        func add(_ key: Key?) {
            guard let key else { return }
            if !typed.isEmpty { keys.append(.text(String(typed))) }
            typed.removeAll()
            keys.append(key)
        }
        let bytes = Array(bytes)
        var rest = bytes[...]
        while !rest.isEmpty {
            if paste != nil {
                add(takePasted(&rest))
                continue
            }
            let byte = rest.removeFirst()
            if leftOfString > 0, byte != 0x1B, byte != 0x03 {
                waiting = []
                leftOfString = byte == 0x07 ? 0 : leftOfString - 1
                continue
            }
            // An Escape ends a string as well, with the backslash that follows or as the start of a key.
            leftOfString = 0
            if byte < 0x20 || byte == 0x7F, waiting.count != 1 || waiting[0] != 0x1B || byte == 0x03 {
                // A control character ends whatever was incomplete.
                waiting = byte == 0x1B ? [byte] : []
                add(Self.control(byte))
                continue
            }
            waiting.append(byte)
            switch waiting[0] {
            case 0x1B:
                add(takeSequence())
            case 0x80...:
                // The byte that broke a character may itself be a key.
                let isBroken = waiting.count > 1 && byte & 0xC0 != 0x80
                if isBroken { rest = bytes[(rest.startIndex - 1)...] }
                if let scalar = takeCharacter(isBroken: isBroken) { typed.append(scalar) }
            default:
                waiting = []
                typed.append(Unicode.Scalar(byte))
            }
        }
        if !typed.isEmpty { keys.append(.text(String(typed))) }
        return keys
    }

    /// The Escape key, when nothing has followed its byte for a while.
    mutating func flush() -> [Key] {
        guard isWaitingForMore else { return [] }
        let isEscape = waiting.count == 1
        (waiting, leftOfString) = ([], 0)
        return isEscape ? [.escape] : []
    }

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x03: .interrupt, 0x05: .end, 0x08: .backspace, 0x09: .tab, 0x0A: .enter,
        0x0B: .eraseToEnd,
        0x0C: .redraw, 0x0D: .enter, 0x15: .eraseToStart, 0x17: .eraseWord, 0x1A: .suspend, 0x7F: .backspace,
    ]

    private static func control(_ byte: UInt8) -> Key? {
        let isLetter = (0x01...0x1A).contains(byte)
        return controls[byte] ?? (isLetter ? .control(Character(Unicode.Scalar(byte | 0x60))) : nil)
    }

    /// The next character of UTF-8, whose first byte gives the number of those that follow.
    private mutating func takeCharacter(isBroken: Bool) -> Unicode.Scalar? {
        let expected =
            switch waiting[0] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        guard waiting.count == expected || isBroken else { return nil }
        defer { waiting = [] }
        return isBroken ? nil : String(validating: waiting, as: UTF8.self)?.unicodeScalars.first
    }

    private mutating func takeSequence() -> Key? {
        guard let second = waiting.dropFirst().first else { return nil }
        switch second {
        case 0x1B:
            waiting = [second]
            return .escape
        case UInt8(ascii: "O"):
            guard waiting.count == 3 else { return nil }
        case UInt8(ascii: "["):
            let isComplete = waiting.count > 2 && (0x40...0x7E).contains(waiting[waiting.count - 1])
            guard isComplete || waiting.count > Self.longestSequence else { return nil }
        case _ where Self.strings.contains(second):
            // Kept until more has arrived: otherwise it was a letter held together with Alt.
            leftOfString = Self.longestString
            return nil
        default:
            break
        }
        let sequence = String(decoding: waiting.dropFirst(), as: UTF8.self)
        waiting = []
        if sequence == "[200~" { paste = Paste() }
        return sequence.hasPrefix("[<") ? Self.mouse(sequence.dropFirst(2)) : Self.sequences[sequence]
    }

    /// The bytes that begin the control strings of ECMA-48 behind an Escape: DCS, SOS, OSC, PM and APC.
    private static let strings = Array("PX]^_".utf8)

    private static let sequences: [String: Key] = [
        "[A": .up, "[B": .down, "[C": .right, "[D": .left, "[H": .home, "[F": .end, "[Z": .backTab,
        "OA": .up, "OB": .down, "OC": .right, "OD": .left, "OH": .home, "OF": .end, "OM": .enter,
        "[1~": .home, "[7~": .home, "[4~": .end, "[8~": .end, "[3~": .delete, "[5~": .pageUp,
        "[6~": .pageDown, "[1;5C": .wordRight, "[1;5D": .wordLeft, "[1;3C": .wordRight, "[1;3D": .wordLeft,
        "b": .wordLeft, "f": .wordRight, "\u{7F}": .eraseWord,
    ]

    /// The number of lines for one step of the wheel.
    private static let wheelLines = 3

    /// The key for a mouse report: `button;column;row` and a final `M` or `m` (SGR mouse mode).
    private static func mouse(_ report: Substring) -> Key? {
        let numbers = report.dropLast().split(separator: ";").map { Int($0) ?? -1 }
        guard numbers.count == 3, report.last == "M", numbers[1] > 0, numbers[2] > 0 else { return nil }
        return switch numbers[0] {
        case 0: .click(column: numbers[1] - 1, row: numbers[2] - 1)
        case 64: .scroll(-wheelLines)
        case 65: .scroll(wheelLines)
        default: nil
        }
    }

    /// Takes bytes of a bracketed paste, which stands between `ESC [ 200 ~` and `ESC [ 201 ~`.
    ///
    /// Ctrl-C is no text there either: terminals leave it out of a paste, and a paste may never end.
    private mutating func takePasted(_ rest: inout ArraySlice<UInt8>) -> Key? {
        guard let key = paste?.take(&rest) else { return nil }
        paste = nil
        return key
    }
}

/// A bracketed paste that has begun; each byte is looked at once.
private struct Paste {
    private var bytes: [UInt8] = []
    private var count = 0
    /// The number of bytes of the end marker that have arrived.
    private var matched = 0

    private static let end = Array("\u{1B}[201~".utf8)
    /// The bytes of the longest field's text, four for each scalar; more are counted, and not kept.
    private static let most = 4 * Display.Field.maximum

    /// Takes bytes up to the end of the paste or to Ctrl-C; nil when there is more to come.
    mutating func take(_ rest: inout ArraySlice<UInt8>) -> Key? {
        while let byte = rest.first {
            if matched == 0 {
                let stop = rest.firstIndex { $0 == 0x1B || $0 == 0x03 } ?? rest.endIndex
                keep(rest[..<stop])
                rest = rest[stop...]
                if rest.first == 0x1B { matched = 1 }
                if rest.popFirst() == 0x03 { return .interrupt }
            } else if byte == Self.end[matched] {
                rest.removeFirst()
                matched += 1
                guard matched == Self.end.count else { continue }
                return count > Self.most
                    ? .oversizedPaste(count) : .paste(String(decoding: bytes, as: UTF8.self))
            } else {
                keep(Self.end[..<matched])
                matched = 0
            }
        }
        return nil
    }

    private mutating func keep(_ more: ArraySlice<UInt8>) {
        count += more.count
        if count <= Self.most { bytes += more }
    }
}
