extension Display {
    /// Makes text from elsewhere safe to print: a server, a file's name or an argument must not be able to move the
    /// cursor, recolour the screen, or make a line read backwards.
    ///
    /// Everything that the program prints goes through here, on a screen, in lines and on standard error.
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

        /// Whether a text is printable ASCII, as most are, so that it need not be copied.
        private static func isPrintable(_ text: String) -> Bool {
            text.utf8.withContiguousStorageIfAvailable { bytes in
                bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            } ?? false
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
