import DisplayInterface

/// A line of a pane: pieces of text, each with its style and the place that a click on it chooses.
struct Line: Equatable {
    enum Style: Equatable {
        case plain, strong, selected, box
        case role(Display.Role)
    }

    struct Span: Equatable {
        var text: String
        var style: Style
        var place: Place?
        /// Whether the cursor stands at its start.
        var hasCursor = false

        init(_ text: String, _ style: Style, place: Place? = nil, hasCursor: Bool = false) {
            self.text = text
            self.style = style
            self.place = place
            self.hasCursor = hasCursor
        }
    }

    var spans: [Span] = []

    init(_ spans: [Span] = []) { self.spans = spans.filter { !$0.text.isEmpty } }
    init(_ text: String, _ style: Style) { self.init([Span(text, style)]) }

    var text: String { spans.map(\.text).joined() }
    var columns: Int { spans.reduce(0) { $0 + TextLayout.columns(of: $1.text) } }
}

/// The visible lines of a pane.
struct Body: Equatable {
    var lines: [Line] = []
    /// The first visible line of the pane.
    var top = 0
    var isMoreAbove = false
    var isMoreBelow = false
    /// The first visible line of the focused text area's text.
    var areaTop: Int?
}
