import DisplayInterface

/// A screen as printed in line mode: its lines, and what the printed numbers mean.
struct LineScreen {
    /// What a number chooses.
    enum Choice {
        case field(Display.Field)
        case action(Display.Action)
    }

    /// The lines, each with its line end.
    let text: String
    /// What the numbers from 1 on mean.
    let choices: [Choice]

    private let goesBack: Bool

    init(path: String, elements: [Display.Element], goesBack: Bool) {
        var lines = ["== \(path) =="]
        var choices: [Choice] = []
        func add(_ choice: Choice, _ words: String) {
            choices.append(choice)
            lines.append(Self.numbered(choices.count, words))
        }
        for element in elements {
            switch element {
            case .text(let text), .progress(let text):
                lines += PlainText.lines(text)
            case .error(let message):
                lines += PlainText.lines(message).map { "! \($0)" }
            case .field(let field):
                let value = field.shownText
                add(.field(field), PlainText.line(field.label) + (value.isEmpty ? ":" : ": \(value)"))
            case .button(let button):
                add(.action(button.action), PlainText.line(button.title))
            case .row(let row):
                add(.action(row.action), PlainText.line(row.title) + row.shownDetail)
            }
        }
        if goesBack { lines.append(Self.numbered(0, "Back")) }
        text = lines.map { $0 + "\n" }.joined()
        self.choices = choices
        self.goesBack = goesBack
    }

    /// What the person may enter, as one line.
    var help: String {
        var entries: [String] = []
        if !choices.isEmpty {
            entries.append(choices.count == 1 ? "1" : "a number from 1 to \(choices.count)")
        }
        if goesBack { entries.append("0 to go back") }
        let comma = entries.count > 1 ? "," : ""
        return "Enter " + (entries.isEmpty ? "" : entries.joined(separator: ", ") + "\(comma) or ")
            + "q to quit.\n"
    }

    private static func numbered(_ number: Int, _ words: String) -> String {
        String(repeating: " ", count: max(0, 3 - "\(number)".count)) + "\(number)  \(words)"
    }
}

extension Display.Field {
    /// The text as it may be shown.
    var shownText: String { PlainText.shown(text, isSecure: isSecure) }
}

extension Display.Row {
    /// The detail with what separates it from the title.
    var shownDetail: String {
        detail.map { " — " + PlainText.line($0) } ?? ""
    }
}
