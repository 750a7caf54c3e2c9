import DisplayInterface

/// A key of a terminal's keyboard, text that was typed or pasted, or a move of the mouse.
enum Key: Equatable, Sendable {
    /// Characters that were typed, as many as arrived together.
    case text(String)
    /// A text that was pasted, cut where it is longer than any field's text may be.
    case paste(String)
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
/// The sequences are those of ECMA-48 and of xterm's `ctlseqs`, also with C1 controls, which UTF-8 input has as characters.
/// A sequence may arrive in pieces, so the bytes that do not yet make a key are kept; whether an Escape stands alone must
/// be decided by time, with ``flush()``. Unknown sequences, replies of the terminal and keys held together with Alt are
/// ignored as a whole.
struct KeyParser {
    /// The bytes of an incomplete character or sequence.
    private var waiting: [UInt8] = []
    private var paste: Paste?
    /// The most bytes that may still follow of a control string, such as a terminal's reply; 0 outside of one.
    private var leftOfString = 0

    /// The length of the longest sequence, such as a terminal's list of what it can do; a longer one is noise.
    private static let maximumSequence = 1024
    /// The length of the longest control string.
    private static let maximumString = 65_536

    /// Whether an Escape has arrived that may be the start of a sequence, or a letter held together with Alt.
    var isWaitingForMore: Bool {
        guard paste == nil, let sequence, sequence.count < 2 else { return false }
        // The end of a string may take its time, as its text does.
        return leftOfString == 0 || !sequence.isEmpty
    }

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
                add(readPaste(&rest))
                continue
            }
            let byte = rest.removeFirst()
            if skipStringByte(byte) { continue }
            if byte == 0x03 || (byte < 0x20 || byte == 0x7F) && !takesControls {
                // A control character ends whatever was incomplete, and Ctrl-C also a report of the mouse.
                waiting = byte == 0x1B ? [byte] : []
                add(Self.control(byte))
                continue
            }
            waiting.append(byte)
            if let sequence {
                add(read(sequence))
            } else if waiting[0] < 0x80 {
                waiting = []
                typed.append(Unicode.Scalar(byte))
            } else {
                // The byte that broke a character may itself be a key.
                let isBroken = waiting.count > 1 && byte & 0xC0 != 0x80
                if isBroken { rest = bytes[(rest.startIndex - 1)...] }
                if let scalar = readCharacter(isBroken: isBroken) { typed.append(scalar) }
            }
        }
        if !typed.isEmpty { keys.append(.text(String(typed))) }
        return keys
    }

    /// The Escape key, when nothing has followed its byte for a while.
    mutating func flush() -> [Key] {
        guard isWaitingForMore else { return [] }
        let isEscape = waiting == [0x1B]
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
    private mutating func readCharacter(isBroken: Bool) -> Unicode.Scalar? {
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

    // MARK: Sequences

    /// What waits behind an Escape, or from a C1 control on, which stands for an Escape and a letter; nil for a character.
    private var sequence: [UInt8]? {
        switch waiting.first {
        case 0x1B: Array(waiting.dropFirst())
        case 0xC2 where waiting.count > 1 && (0x80...0x9F).contains(waiting[1]):
            [waiting[1] - 0x40] + waiting.dropFirst(2)
        default: nil
        }
    }

    /// Whether a control character belongs to what waits: behind an Escape alone, and in reports of the mouse.
    private var takesControls: Bool {
        sequence.map { $0.isEmpty || Self.following($0) > 1 } ?? false
    }

    /// Skips a byte of a control string, which ends with `ESC \`, its C1 control or BEL, and where a key begins.
    private mutating func skipStringByte(_ byte: UInt8) -> Bool {
        guard leftOfString > 0, byte != 0x03 else {
            leftOfString = 0
            return false
        }
        let former = waiting
        waiting = []
        switch (former, byte) {
        case ([0x1B], UInt8(ascii: "\\")), ([0xC2], 0x9C), (_, 0x07): leftOfString = 0
        case ([0x1B], _):
            (waiting, leftOfString) = (former, 0)
            return false
        default:
            if byte == 0x1B || byte == 0xC2 { waiting = [byte] }
            leftOfString -= 1
        }
        return true
    }

    private mutating func read(_ sequence: [UInt8]) -> Key? {
        guard let first = sequence.first else { return nil }
        if Self.strings.contains(first) {
            // Kept until more has arrived: otherwise it was a letter held together with Alt.
            leftOfString = Self.maximumString
            return nil
        }
        guard Self.isWhole(sequence) || sequence.count > Self.maximumSequence else { return nil }
        defer { waiting = first == 0x1B ? [first] : [] }
        let name = String(decoding: sequence, as: UTF8.self)
        if name == "[200~" { paste = Paste(end: waiting.dropLast(4) + Array("201~".utf8)) }
        return name.hasPrefix("[<") ? Self.mouse(name.dropFirst(2)) : Self.sequences[name]
    }

    /// Whether a sequence has its last byte.
    private static func isWhole(_ sequence: [UInt8]) -> Bool {
        let (kind, more) = (sequence[0], sequence.dropFirst())
        switch kind {
        case UInt8(ascii: "["):
            guard let final = more.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return false }
            return sequence.count > final + following(sequence)
        case UInt8(ascii: "N"), UInt8(ascii: "O"), UInt8(ascii: "?"):
            // SS2, SS3 and the keypad of a VT52: a character, in front of which some terminals put modifiers.
            return more.last.map { !(0x30...0x3B).contains($0) } ?? false
        case 0x20...0x2F: return more.last.map { $0 >= 0x30 } ?? false
        default: return true
        }
    }

    /// The number of bytes that follow the last one of a sequence without parameters: a report of the mouse, whose bytes may
    /// have any value, or the letter of a function key of the Linux console.
    private static func following(_ sequence: [UInt8]) -> Int {
        guard sequence.count > 1, sequence[0] == UInt8(ascii: "[") else { return 0 }
        return switch sequence[1] {
        case UInt8(ascii: "M"): 3
        case UInt8(ascii: "T"): 6
        case UInt8(ascii: "t"): 2
        case UInt8(ascii: "["): 1
        default: 0
        }
    }

    /// The bytes that begin the control strings of ECMA-48 behind an Escape: DCS, SOS, OSC, PM and APC.
    private static let strings = Array("PX]^_".utf8)

    private static let sequences: [String: Key] = [
        "\u{1B}": .escape,
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

    /// Takes bytes of a bracketed paste, which stands between `CSI 200 ~` and `CSI 201 ~`.
    ///
    /// Ctrl-C is no text there either: terminals leave it out of a paste, and a paste may never end.
    private mutating func readPaste(_ rest: inout ArraySlice<UInt8>) -> Key? {
        guard let key = paste?.read(&rest) else { return nil }
        paste = nil
        return key
    }
}

/// A bracketed paste that has begun; each byte is looked at once.
struct Paste {
    /// The marker that ends it, with the same CSI as the one at its start.
    let end: [UInt8]

    private var bytes: [UInt8] = []
    /// The number of bytes of the end marker that have arrived.
    private var matched = 0

    /// The most bytes that are kept, so that input cannot use up the memory: one more than the longest field's text has.
    static let maximum = 4 * Display.Field.maximum + 1

    init(end: [UInt8]) { self.end = end }

    /// Takes bytes up to the end of the paste or to Ctrl-C; nil when there is more to come.
    mutating func read(_ rest: inout ArraySlice<UInt8>) -> Key? {
        while let byte = rest.first {
            if matched == 0 {
                let stop = rest.firstIndex { $0 == end[0] || $0 == 0x03 } ?? rest.endIndex
                keep(rest[..<stop])
                rest = rest[stop...]
                if rest.first == end[0] { matched = 1 }
                if rest.popFirst() == 0x03 { return .interrupt }
            } else if byte == end[matched] {
                rest.removeFirst()
                matched += 1
                if matched == end.count { return .paste(String(decoding: bytes, as: UTF8.self)) }
            } else {
                keep(end[..<matched])
                matched = 0
            }
        }
        return nil
    }

    private mutating func keep(_ more: ArraySlice<UInt8>) {
        bytes += more.prefix(Self.maximum - bytes.count)
    }
}
