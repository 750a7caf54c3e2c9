/// A key of a terminal's keyboard, or a pasted text.
enum Key: Equatable, Sendable {
    case character(Unicode.Scalar)
    case paste(String)
    case enter, tab, backTab, escape
    case up, down, left, right, home, end, pageUp, pageDown
    case backspace, delete, eraseLine
    /// Ctrl-C.
    case interrupt
    /// Ctrl-Z.
    case suspend
}

/// Turns the bytes that a terminal sends into keys.
///
/// The sequences are those of ECMA-48 and of xterm's `ctlseqs`. A sequence may arrive in pieces, so the bytes
/// that do not yet make a key are kept; what follows an Escape that stands alone must be decided by time, with
/// ``flush()``. Unknown sequences and keys held together with Alt are left out.
struct KeyDecoder {
    private var waiting: [UInt8] = []
    private var pasted: [UInt8]?

    /// No known sequence is longer; what is, is noise.
    private static let longestSequence = 32

    /// Whether an Escape has arrived of which it is open whether more will follow.
    var isWaitingForMore: Bool { pasted == nil && waiting.first == 0x1B }

    /// The keys that are complete with these bytes.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { byte in
            if pasted != nil { return takePasted(byte) }
            waiting.append(byte)
            switch waiting[0] {
            case 0x1B: return takeSequence()
            case 0x80...: return takeCharacter()
            default:
                waiting = []
                return control(byte) ?? (byte >= 0x20 ? .character(Unicode.Scalar(byte)) : nil)
            }
        }
    }

    /// The Escape key, when nothing has followed its byte for a while.
    mutating func flush() -> [Key] {
        guard isWaitingForMore else { return [] }
        let isEscape = waiting.count == 1
        waiting = []
        return isEscape ? [.escape] : []
    }

    private func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x01: .home
        case 0x03: .interrupt
        case 0x05: .end
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x15: .eraseLine
        case 0x1A: .suspend
        default: nil
        }
    }

    /// UTF-8, whose first byte tells how many follow.
    private mutating func takeCharacter() -> Key? {
        let expected =
            switch waiting[0] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        let isBroken = waiting.dropFirst().contains { $0 & 0xC0 != 0x80 }
        guard waiting.count == expected || isBroken else { return nil }
        let bytes = waiting
        waiting = []
        guard let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first
        else {
            // The byte that broke the character may itself be a key.
            return isBroken ? bytes.last.flatMap { decode(CollectionOfOne($0)).first } : nil
        }
        return .character(scalar)
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
        default:
            break
        }
        let sequence = String(decoding: waiting.dropFirst(), as: UTF8.self)
        waiting = []
        if sequence == "[200~" { pasted = [] }
        return Self.sequences[sequence]
    }

    private static let sequences: [String: Key] = [
        "[A": .up, "[B": .down, "[C": .right, "[D": .left, "[H": .home, "[F": .end, "[Z": .backTab,
        "OA": .up, "OB": .down, "OC": .right, "OD": .left, "OH": .home, "OF": .end, "OM": .enter,
        "[1~": .home, "[7~": .home, "[4~": .end, "[8~": .end, "[3~": .delete, "[5~": .pageUp,
        "[6~": .pageDown,
    ]

    /// A bracketed paste, between `ESC [ 200 ~` and `ESC [ 201 ~`.
    private mutating func takePasted(_ byte: UInt8) -> Key? {
        pasted?.append(byte)
        let end = Array("\u{1B}[201~".utf8)
        guard let bytes = pasted, bytes.suffix(end.count).elementsEqual(end) else { return nil }
        pasted = nil
        return .paste(String(decoding: bytes.dropLast(end.count), as: UTF8.self))
    }
}
