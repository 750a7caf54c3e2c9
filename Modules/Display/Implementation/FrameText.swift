extension Frame {
    /// The frame as the bytes that draw it, to be written in one piece so that no half frame is ever seen.
    ///
    /// The sequences are those of ECMA-48; synchronised output (2026) is ignored where it is not known.
    var text: String {
        var text = "\u{1B}[?2026h\u{1B}[?25l\u{1B}[H"
        for (index, line) in lines.enumerated() {
            if index > 0 { text += "\r\n" }
            // Erased before the text, for behind a line of full width the cursor still stands on its last column.
            text += "\u{1B}[K" + (line.style.sequence.map { "\($0)\(line.text)\u{1B}[0m" } ?? line.text)
        }
        if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return text + "\u{1B}[?2026l"
    }
}

extension Frame.Style {
    fileprivate var sequence: String? {
        switch self {
        case .plain: nil
        case .bar, .focused: "\u{1B}[7m"
        case .strong: "\u{1B}[1m"
        case .quiet: "\u{1B}[2m"
        }
    }
}
