extension Display {
    /// Makes text from elsewhere safe to print: a server, a file's name or an argument must not be able to move the
    /// cursor, recolour the screen, or make a line read backwards.
    ///
    /// Everything that the program prints goes through here, on a screen, in lines and on standard error.
    public enum PlainText {
        /// The text as one line: line ends and tabs are spaces, other control characters are `�`.
        public static func line(_ text: String) -> String { safe(text, lineEnd: " ") }

        /// The text with its lines, each of which ends with `\n`: tabs are spaces, other control characters are `�`.
        public static func text(_ text: String) -> String { safe(text, lineEnd: "\n") }

        private static func safe(_ text: String, lineEnd: Unicode.Scalar) -> String {
            if isPrintable(text) { return text }
            var safe = String.UnicodeScalarView()
            var previous: Unicode.Scalar?
            for scalar in text.unicodeScalars {
                if isLineEnd(scalar) {
                    if !(previous == "\r" && scalar == "\n") { safe.append(lineEnd) }
                } else if scalar == "\t" {
                    safe.append(" ")
                } else {
                    safe.append(isControl(scalar) ? "\u{FFFD}" : scalar)
                }
                previous = scalar
            }
            return String(safe)
        }

        /// The text's own lines, each safe to print.
        public static func lines(_ text: String) -> [String] {
            text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line(String($0)) }
        }

        /// Whether a text is printable ASCII, as most are, so that it need not be copied.
        private static func isPrintable(_ text: String) -> Bool {
            text.utf8.withContiguousStorageIfAvailable { bytes in
                bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            } ?? false
        }

        private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
            default: false
            }
        }

        /// Whether a scalar is in Unicode's category of control characters, changes the direction of text, or encloses
        /// the characters that follow, over whose columns terminals disagree.
        private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F: true
            case 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional embeddings, overrides and isolates
            case 0x61C, 0x200E...0x200F: true  // marks of a direction
            case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true  // prepended signs
            default: false
            }
        }
    }
}
