/// Makes text from elsewhere safe to print: a backend must not be able to move the cursor, recolour the screen,
/// or make a line read backwards.
enum PlainText {
    /// A person's own text as one line: of a secure one, only whether there is any.
    static func shown(_ text: String, isSecure: Bool) -> String {
        // Of one length, so that the length stays secret too.
        isSecure ? (text.isEmpty ? "" : "••••••") : line(text)
    }

    /// The text as one line: line ends and tabs are spaces, other control characters are `�`.
    static func line(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if isLineEnd(scalar) || scalar == "\t" {
                if !(previous == "\r" && scalar == "\n") { safe.append(" ") }
            } else {
                safe.append(isControl(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return String(safe)
    }

    /// The text's own lines, each safe to print.
    static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line(String($0)) }
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional embeddings, overrides and isolates
        default: scalar.properties.generalCategory == .control
        }
    }
}
