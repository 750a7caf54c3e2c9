import DisplayInterface

/// The content of a screen and of its detail, until one of them changes.
@MainActor
final class Page {
    let title: String
    let elements: [Display.Element]
    let own: Range<Int>
    let targets: [Int]
    let choices: [Place]
    /// The first empty field of the form with which the page begins.
    let firstEmptyField: Int?

    private let detail: Page?
    /// Requests a row, and observes the state that the row reads.
    private let readRow: @MainActor (Display.List, Int) -> Display.Row
    private var rows: [Place: Display.Row] = [:]
    /// The lines of texts by element, which the next page reuses.
    private var brokenTexts: [Int: (columns: Int, lines: [Substring])]
    private let numbers: [Int?]

    private static let maximumRows = 4096
    private static let maximumChoices = 9

    init(
        _ content: Display.Content, failure: Failure? = nil, detail: Page? = nil, former: Page? = nil,
        readRow: @escaping @MainActor (Display.List, Int) -> Display.Row = { $0.row($1) }
    ) {
        title = content.title
        var above = content.elements
        if let failure { above.insert(.error(failure.message), at: failure.index(in: above)) }
        elements = above + (detail?.elements ?? [])
        own = above.indices
        self.detail = detail
        brokenTexts = former?.brokenTexts ?? [:]
        self.readRow = readRow

        var targets: [Int] = []
        var numbers: [Int?] = []
        var choices: [Place] = []
        var emptyField: Int?
        for (index, element) in elements.enumerated() {
            numbers.append(nil)
            switch element {
            case .text, .error, .progress: continue
            case .list(let list) where list.count == 0: continue
            case .list(let list):
                let free = min(list.count, Self.maximumChoices - choices.count)
                choices += (0..<free).map { Place(element: index, row: $0) }
            case .field(let field):
                // A field below other choices does not receive the focus by default.
                if field.text.isEmpty, choices.isEmpty { emptyField = emptyField ?? index }
            case .button, .row:
                if choices.count < Self.maximumChoices { choices.append(Place(element: index)) }
            }
            numbers[index] = targets.count
            targets.append(index)
        }
        self.targets = targets
        self.numbers = numbers
        self.choices = choices
        firstEmptyField = emptyField
    }

    func pane(of element: Int) -> Range<Int> { own.contains(element) ? own : beside }

    var beside: Range<Int> { own.upperBound..<elements.count }

    var hasDetail: Bool { detail != nil }
    var detailTitle: String { detail?.title ?? "" }

    var hasProgress: Bool {
        elements.contains { if case .progress = $0 { true } else { false } }
    }

    var hasSecret: Bool {
        elements.contains { if case .field(let field) = $0 { field.isSecure } else { false } }
    }

    func number(of element: Int) -> Int? { numbers.indices.contains(element) ? numbers[element] : nil }

    func rows(of element: Int) -> Int {
        if case .list(let list) = elements[element] { list.count } else { 1 }
    }

    func field(at place: Place?) -> Display.Field? {
        if let place, case .field(let field) = elements[place.element] { field } else { nil }
    }

    /// The action that Enter begins at a place, with its origin.
    func choice(at place: Place) -> (action: Display.Action, origin: ActionOrigin)? {
        let (action, isInForm): (Display.Action?, Bool) =
            switch elements[place.element] {
            case .button(let button): (button.action, true)
            case .field(let field): (field.submit, true)
            case .row(let row): (row.action, false)
            case .list(let list): (row(place.row, of: list, at: place.element).action, false)
            case .text, .progress, .error: (nil, false)
            }
        guard let action, let focus = Focus(at: place, on: self) else { return nil }
        let form = isInForm ? elements[pane(of: place.element).lowerBound...place.element] : []
        let fields = form.compactMap { if case .field(let field) = $0 { field.label } else { nil } }
        return (action, ActionOrigin(focus: focus, field: fields.last))
    }

    func onFocus(at place: Place) -> (@MainActor () -> Void)? {
        switch elements[place.element] {
        case .row(let row): row.onFocus
        case .list(let list): row(place.row, of: list, at: place.element).onFocus
        case .button, .field, .text, .progress, .error: nil
        }
    }

    func row(_ row: Int, of list: Display.List, at element: Int) -> Display.Row {
        // The page of the detail observes the state that its rows read.
        if let detail, !own.contains(element) {
            return detail.row(row, of: list, at: element - own.upperBound)
        }
        let place = Place(element: element, row: row)
        if let known = rows[place] { return known }
        if rows.count >= Self.maximumRows { rows = [:] }
        let read = readRow(list, row)
        rows[place] = read
        return read
    }

    /// The lines of an element's text, which is broken again for another width.
    func lines(of text: String, at element: Int, to columns: Int) -> [Substring] {
        if let known = brokenTexts[element], known.columns == columns,
            known.lines[0].base.utf8.elementsEqual(text.utf8)
        {
            return known.lines
        }
        let lines = TextLayout.lines(of: text, to: columns)
        brokenTexts[element] = (columns, lines)
        return lines
    }
}
