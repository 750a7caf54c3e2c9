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
/// The sequences are those of ECMA-48 and of xterm's `ctlseqs`, which begin with an Escape: no terminal sends C1 controls in
/// UTF-8. A sequence may arrive in pieces, so the bytes that do not yet make a key are kept; whether an Escape stands alone must
/// be decided by time, with ``flush()``. Unknown sequences and keys held together with Alt are ignored as a whole. Control
/// strings are not read: a terminal sends one as a reply only, and this program asks nothing.
struct KeyParser {
    /// The bytes of an incomplete character.
    private var partial: [UInt8] = []
    /// The incomplete sequence, behind its Escape; nil outside of one.
    private var sequence: [Unicode.Scalar]?
    private var paste: Paste?

    /// The length of the longest sequence, such as a terminal's list of what it can do; a longer one is noise.
    private static let maximumSequence = 1024

    /// Whether an Escape has arrived that may be the start of a sequence, or a letter held together with Alt.
    var isWaitingForMore: Bool {
        guard paste == nil, let sequence else { return false }
        return sequence.count < 2
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
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            if paste != nil {
                if let key = paste?.read(&rest) {
                    paste = nil
                    add(key)
                }
                continue
            }
            guard let scalar = readCharacter(rest.removeFirst()) else { continue }
            let isControl = scalar.value < 0x20 || scalar == "\u{7F}"
            if scalar == "\u{3}" || isControl && !takesControls {
                // A control character ends whatever was incomplete, and Ctrl-C also a report of the mouse.
                sequence = scalar == "\u{1B}" ? [] : nil
                add(Self.control(scalar))
            } else if let sequence {
                add(read(sequence + [scalar]))
            } else if !(0x80...0x9F).contains(scalar.value) {
                typed.append(scalar)
            }
        }
        if !typed.isEmpty { keys.append(.text(String(typed))) }
        return keys
    }

    /// The Escape key, when nothing has followed its byte for a while.
    mutating func flush() -> [Key] {
        guard isWaitingForMore else { return [] }
        defer { sequence = nil }
        return sequence?.isEmpty == true ? [.escape] : []
    }

    private static let controls: [Unicode.Scalar: Key] = [
        "\u{1}": .home, "\u{3}": .interrupt, "\u{5}": .end, "\u{8}": .backspace, "\t": .tab, "\n": .enter,
        "\u{B}": .eraseToEnd, "\u{C}": .redraw, "\r": .enter, "\u{15}": .eraseToStart,
        "\u{17}": .eraseWord, "\u{1A}": .suspend, "\u{7F}": .backspace,
    ]

    private static func control(_ scalar: Unicode.Scalar) -> Key? {
        let isLetter = (0x01...0x1A).contains(scalar.value)
        return controls[scalar]
            ?? (isLetter ? .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x60))) : nil)
    }

    /// The character that a byte completes, whose first byte gives the number of those that follow.
    private mutating func readCharacter(_ byte: UInt8) -> Unicode.Scalar? {
        // The bytes of a report of the mouse are numbers.
        if let sequence, Self.following(sequence) > 1 { return Unicode.Scalar(byte) }
        // A byte that breaks a character may itself be a key.
        if byte & 0xC0 != 0x80 { partial = [] }
        partial.append(byte)
        let expected =
            switch partial[0] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        guard partial.count == expected else { return nil }
        defer { partial = [] }
        return String(validating: partial, as: UTF8.self)?.unicodeScalars.first
    }

    // MARK: Sequences

    /// Whether a control character belongs to the sequence: behind an Escape alone, and in reports of the mouse.
    private var takesControls: Bool {
        sequence.map { $0.isEmpty || Self.following($0) > 1 } ?? false
    }

    private mutating func read(_ sequence: [Unicode.Scalar]) -> Key? {
        self.sequence = sequence
        guard Self.isWhole(sequence) || sequence.count > Self.maximumSequence else { return nil }
        self.sequence = sequence[0] == "\u{1B}" ? [] : nil
        let name = String(String.UnicodeScalarView(sequence))
        if name == "[200~" { paste = Paste() }
        return name.hasPrefix("[<") ? Self.mouse(name.dropFirst(2)) : Self.sequences[name]
    }

    /// Whether a sequence has its last character.
    private static func isWhole(_ sequence: [Unicode.Scalar]) -> Bool {
        let more = sequence.dropFirst()
        switch sequence[0] {
        case "[":
            guard let final = more.firstIndex(where: { ("@"..."~").contains($0) }) else { return false }
            return sequence.count > final + following(sequence)
        case "N", "O":
            // SS2 and SS3: a character, in front of which some terminals put modifiers.
            return more.last.map { !("0"...";").contains($0) } ?? false
        case " "..."/": return more.last.map { $0 >= "0" } ?? false
        default: return true
        }
    }

    /// The number of characters that follow the last one of a sequence without parameters: a report of the mouse, whose bytes
    /// may have any value, or the letter of a function key of the Linux console.
    private static func following(_ sequence: [Unicode.Scalar]) -> Int {
        guard sequence.count > 1, sequence[0] == "[" else { return 0 }
        return switch sequence[1] {
        case "M": 3
        case "[": 1
        default: 0
        }
    }

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
}

/// A bracketed paste that has begun, which stands between `CSI 200 ~` and `CSI 201 ~`; each byte is looked at once.
///
/// Ctrl-C is no text there either: terminals leave it out of a paste, and a paste may never end.
struct Paste {
    private let end = Array("\u{1B}[201~".utf8)
    private var bytes: [UInt8] = []
    /// The number of bytes of the end marker that have arrived.
    private var matched = 0

    /// The most bytes that are kept, so that input cannot use up the memory: one more than the longest field's text has.
    static let maximum = 4 * Display.Field.maximum + 1

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
