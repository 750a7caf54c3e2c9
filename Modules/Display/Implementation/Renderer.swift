/// Turns frames into the bytes that draw their changed lines.
///
/// The sequences are those of ECMA-48; terminals without synchronised output (2026) ignore it.
struct Renderer {
    private let theme: Theme
    private var drawn: Frame?

    init(_ theme: Theme) {
        self.theme = theme
    }

    /// Makes the next frame be drawn as a whole.
    mutating func forget() {
        drawn = nil
    }

    /// The bytes that draw a frame, to be written in one piece; nil if the frame is shown already.
    mutating func draw(_ frame: Frame) -> String? {
        let former = drawn?.size == frame.size ? drawn : nil
        guard frame.lines != former?.lines else { return nil }
        drawn = frame
        var text = "\u{1B}[?2026h\u{1B}[?25l"
        for (row, line) in frame.lines.enumerated() where former?.lines[row] != line {
            // After a line of full width, erasing to its end would erase its last character.
            text += "\u{1B}[\(row + 1);1H\u{1B}[K" + line.spans.map(theme.text).joined()
        }
        if let cursor = Frame.cursor(in: frame.lines) {
            text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
        }
        return text + "\u{1B}[?2026l"
    }
}

/// The appearance of styles, readable on light and on dark backgrounds, or without colours.
struct Theme: Equatable {
    enum Colours: Equatable {
        case none, sixteen, many
    }

    let colours: Colours

    init(_ colours: Colours) {
        self.colours = colours
    }

    /// Reads the terminal's capabilities, and the user's preference (`NO_COLOR`, https://no-color.org).
    init(environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let hasMany =
            environment["COLORTERM"] != nil || environment["TERM"].map { $0.contains("256color") } ?? false
        self.init(isUnwanted ? .none : hasMany ? .many : .sixteen)
    }

    func text(of span: Line.Span) -> String {
        sequence(span.style).map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text
    }

    /// The parameters of SGR; no style is distinguished from all others by its colour alone.
    private func sequence(_ style: Line.Style) -> String? {
        // The contrast of #5f5fff is 4.5 to 1 with black and with white; that of #ff0000 is 4 to 1 with white, 5 to 1 with black.
        let (accent, error) =
            switch colours {
            case .none: ("", "")
            case .sixteen: (";34", ";31")
            case .many: (";38;5;63", ";38;5;196")
            }
        return switch style {
        case .plain: nil
        case .bar: "7"
        case .strong: "1"
        case .quiet: "2"
        case .box: "4"
        case .accent: "1" + accent
        case .focused: "7" + accent
        case .error: "1" + error
        }
    }
}
