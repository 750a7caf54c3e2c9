extension Display {
    /// Makes text safe to print: text of a server, a file's name or an argument must not move the cursor, recolour the screen,
    /// or make a line read backwards.
    public enum PlainText {
        /// The text as one line: line ends and tabs are spaces, other control characters are `�`.
        public static func line(_ text: String) -> String {
            isPrintable(text) ? text : lines(text).joined(separator: " ")
        }

        /// The text's own lines, each safe to print.
        public static func lines(_ text: String) -> [String] {
            text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
                let scalars = line.unicodeScalars.map { scalar in
                    scalar == "\t" ? " " : isControl(scalar) ? "\u{FFFD}" : scalar
                }
                return String(String.UnicodeScalarView(scalars))
            }
        }

        /// Whether a text is printable ASCII, which is not copied.
        private static func isPrintable(_ text: String) -> Bool {
            text.utf8.withContiguousStorageIfAvailable { bytes in
                bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            } ?? false
        }

        /// Whether a scalar is a control character, changes the direction of text, or encloses the following characters, over
        /// whose columns terminals disagree.
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
