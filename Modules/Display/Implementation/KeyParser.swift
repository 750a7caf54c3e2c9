import DisplayInterface

/// A key, a typed or pasted text, or an action of the mouse.
enum Key: Equatable, Sendable {
    case text(String)
    /// A pasted text, which is cut where no field accepts more.
    case paste(String)
    case enter, tab, backTab, escape
    case up, down, left, right, wordLeft, wordRight, home, end, pageUp, pageDown
    case backspace, delete, eraseWord, eraseToStart, eraseToEnd
    case interrupt
    case suspend
    /// Ctrl-L; also reported when the size of the terminal changed, or another program drew on it.
    case redraw
    /// Ctrl and a letter that stands for no other key.
    case control(Character)
    /// A click, at a column and a row from 0.
    case click(column: Int, row: Int)
    case scroll(Int)
}

/// Turns the bytes that a terminal sends into keys.
///
/// The sequences are those of ECMA-48 and of xterm's `ctlseqs`, and begin with an Escape. A sequence may arrive in pieces, so
/// the bytes of an incomplete key are kept; ``flush()`` ends an Escape after which nothing arrived. Unknown sequences and keys
/// held together with Alt are ignored as a whole.
struct KeyParser {
    private var partial: [UInt8] = []
    /// The incomplete sequence, behind its Escape; nil outside of one.
    private var sequence: [Unicode.Scalar]?
    private var paste: Paste?

    private static let maximumSequence = 1024

    /// Whether an Escape has arrived that may begin a sequence.
    var isWaitingForMore: Bool {
        guard paste == nil, let sequence else { return false }
        return sequence.count < 2
    }

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
            // Behind an Escape alone, a control character is held together with Alt; Ctrl-C is always obeyed.
            if isControl, scalar == "\u{3}" || sequence?.isEmpty != true {
                sequence = scalar == "\u{1B}" ? [] : nil
                add(Self.controls[scalar])
            } else if let sequence {
                add(read(sequence + [scalar]))
            } else if !(0x80...0x9F).contains(scalar.value) {
                typed.append(scalar)
            }
        }
        if !typed.isEmpty { keys.append(.text(String(typed))) }
        return keys
    }

    /// The Escape key, if no byte has followed an Escape.
    mutating func flush() -> [Key] {
        guard isWaitingForMore else { return [] }
        defer { sequence = nil }
        return sequence?.isEmpty == true ? [.escape] : []
    }

    private static let controls: [Unicode.Scalar: Key] = {
        let letters = (UInt8(0x01)...0x1A).map { letter in
            (Unicode.Scalar(letter), Key.control(Character(Unicode.Scalar(letter | 0x60))))
        }
        let keys: [Unicode.Scalar: Key] = [
            "\u{1}": .home, "\u{3}": .interrupt, "\u{5}": .end, "\u{8}": .backspace, "\t": .tab, "\n": .enter,
            "\u{B}": .eraseToEnd, "\u{C}": .redraw, "\r": .enter, "\u{15}": .eraseToStart,
            "\u{17}": .eraseWord, "\u{1A}": .suspend, "\u{7F}": .backspace,
        ]
        return keys.merging(letters) { key, _ in key }
    }()

    private mutating func readCharacter(_ byte: UInt8) -> Unicode.Scalar? {
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

    private mutating func read(_ sequence: [Unicode.Scalar]) -> Key? {
        self.sequence = sequence
        guard Self.isWhole(sequence) || sequence.count > Self.maximumSequence else { return nil }
        self.sequence = sequence[0] == "\u{1B}" ? [] : nil
        let name = String(String.UnicodeScalarView(sequence))
        if name == "[200~" { paste = Paste() }
        return name.hasPrefix("[<") ? Self.mouse(name.dropFirst(2)) : Self.sequences[name]
    }

    private static func isWhole(_ sequence: [Unicode.Scalar]) -> Bool {
        let more = sequence.dropFirst()
        switch sequence[0] {
        case "[": return more.last.map { ("@"..."~").contains($0) } ?? false
        case "N", "O":
            // SS2 and SS3: some terminals put modifiers before the character.
            return more.last.map { !("0"...";").contains($0) } ?? false
        case " "..."/": return more.last.map { $0 >= "0" } ?? false
        default: return true
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

    private static let wheelLines = 3

    /// The key for a report of the mouse in SGR mode: `button;column;row`, and `M` or `m`.
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

/// A bracketed paste: text between `CSI 200 ~` and `CSI 201 ~`.
///
/// Ctrl-C ends it: terminals leave Ctrl-C out of a paste, and the end of a paste may be lost.
struct Paste {
    private let end = Array("\u{1B}[201~".utf8)
    private var bytes: [UInt8] = []
    private var matched = 0

    /// The most bytes that are kept: one more than the longest field's text has.
    static let maximum = 4 * Display.Field.maximum + 1

    /// Takes bytes up to the end of the paste or to Ctrl-C; nil when more bytes must follow.
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
