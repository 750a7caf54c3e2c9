import DisplayInterface

/// The pane of the trace: the navigation stack, the created services, and the last events.
struct TraceLines {
    let stack: [String]
    let services: [String]
    let events: [Display.TraceEvent]

    /// The least columns of a pane in which the three parts stand side by side.
    private static let sideBySide = 110

    func body(rows: Int, columns: Int) -> Body {
        let isWide = columns >= Self.sideBySide
        let share = isWide ? rows - 1 : max(1, (rows - 3) / 4)
        let stack = part("Navigation stack", texts(stack, isWide ? columns / 4 : columns - 3), share)
        let services = part("Services created", texts(services, isWide ? columns / 3 : columns - 3), share)
        guard isWide else {
            let left = rows - stack.count - services.count
            let events = part("Events", eventLines(columns - 3, rows), left - 1)
            return Body(lines: Array((stack + services + events).prefix(rows)))
        }
        let starts = [stack, services].reduce(into: [0]) { starts, lines in
            starts.append(starts[starts.count - 1] + (lines.map(\.columns).max() ?? 0) + 2)
        }
        let events = part("Events", eventLines(columns - starts[2] - 3, rows), share)
        return Body(
            lines: (0..<rows).map { row in
                zip(starts, [stack, services, events]).reduce(into: Line()) { line, part in
                    let (start, lines) = part
                    let gap = String(repeating: " ", count: start - line.columns)
                    guard lines.indices.contains(row) else { return }
                    line = Line(line.spans + [Line.Span(gap, .plain)] + lines[row].spans)
                }
            })
    }

    private func part(_ title: String, _ lines: [Line], _ count: Int) -> [Line] {
        [Line(" \(title)", .strong)]
            + lines.suffix(max(0, count)).map { Line([Line.Span("  ", .plain)] + $0.spans) }
    }

    private func texts(_ texts: [String], _ columns: Int) -> [Line] {
        texts.map { Line(TextLayout.cutMiddle(Display.PlainText.line($0), to: columns), .plain) }
    }

    /// The last events: the time since the former event, the kind, the name, and the values that fit.
    private func eventLines(_ columns: Int, _ count: Int) -> [Line] {
        events.indices.suffix(max(0, count)).flatMap { index in
            let event = events[index]
            let since = index == 0 ? "" : Self.text(event.time - events[index - 1].time)
            let time = columns < 40 ? "" : TextLayout.padded("", to: 6 - since.count) + since + "  "
            let kind = TextLayout.padded(event.kind, to: 11)
            let start = [Line.Span(time, .role(.muted)), Line.Span(kind, .role(event.role))]
            let name = Display.PlainText.line(event.name)
            let left = columns - Line(start).columns - TextLayout.columns(of: name)
            // A name that does not fit behind the kind has lines of its own.
            guard left >= 0 else {
                let lines = TextLayout.lines(of: name, to: columns)
                return [Line(start)] + lines.map { Line(String($0), .plain) }
            }
            let values =
                left < 6 ? "" : TextLayout.cutMiddle(Display.PlainText.line(event.values), to: left - 1)
            return [Line(start + [Line.Span("\(name) ", .plain), Line.Span(values, .role(.muted))])]
        }
    }

    private static func text(_ time: Duration) -> String {
        switch time {
        case ..<(.seconds(1)): "\(Int(time / .milliseconds(1))) ms"
        case ..<(.seconds(6000)): "\(Int(time / .seconds(1))) s"
        default: "> 1 h"
        }
    }
}
