/// How many columns text takes in a terminal, and how it is fitted into a number of columns.
enum TextWidth {
    /// The columns of one character: 0, 1 or 2.
    static func columns(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.dropFirst().contains("\u{FE0F}") { return 2 }  // shown as an emoji
        return columns(of: first)
    }

    /// The columns of a text.
    static func columns(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The longest beginning of a text that fits, ended by `…` if something is left out.
    static func cut(_ text: String, to columns: Int) -> String {
        guard Self.columns(of: text) > columns else { return text }
        return columns < 1 ? "" : prefix(of: text, columns: columns - 1) + "…"
    }

    /// The longest end of a text that fits, begun by `…` if something is left out.
    static func cutStart(_ text: String, to columns: Int) -> String {
        guard Self.columns(of: text) > columns else { return text }
        let end = prefix(of: text.reversed(), columns: columns - 1)
        return columns < 1 ? "" : "…" + String(end.reversed())
    }

    /// The lines into which a text breaks between words; longer words are broken too.
    static func wrap(_ text: String, to columns: Int) -> [String] {
        let columns = max(1, columns)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
            let longer = line.isEmpty ? word : "\(line) \(word)"
            if Self.columns(of: longer) <= columns {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = word
            while Self.columns(of: line) > columns {
                // A wide character in a single column cannot fit, and must not keep the loop going.
                let start = prefix(of: line, columns: columns)
                let piece = start.isEmpty ? String(line.prefix(1)) : start
                lines.append(piece)
                line = String(line.dropFirst(piece.count))
            }
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }

    private static func prefix(of text: some Sequence<Character>, columns: Int) -> String {
        var left = columns
        return String(
            text.prefix { character in
                left -= Self.columns(of: character)
                return left >= 0
            })
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks whose characters are wide or full-width in Unicode's `EastAsianWidth.txt`, with neighbouring
    /// blocks joined.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]
}
