import DisplayInterface
import Observation

/// What a screen shows until it changes: its elements, and what is worked out of them once.
@MainActor
final class Page {
    let title: String
    /// The content's elements, and then those of the screen beside them.
    let elements: [Display.Element]
    /// The content's own elements.
    let own: Range<Int>
    /// The elements that can have the focus, by index.
    let targets: [Int]
    /// What the number keys choose.
    let choices: [Place]
    /// The first field that holds nothing yet, of those with which the page begins.
    let firstEmptyField: Int?
    let hasProgress: Bool

    private let detail: Page?
    private let readRows: @MainActor (Display.List, Range<Int>) -> [Display.Row]
    private var rows: [Place: [Display.Row]] = [:]
    private var paragraphs: [Int: Paragraphs]
    /// The number of each element among the targets, or nil.
    private let numbers: [Int?]

    /// How many rows of a list are asked for together.
    private static let block = 64
    /// How many blocks are kept.
    private static let mostBlocks = 64
    private static let mostChoices = 9

    /// Reads a content.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - error: What stands above its elements.
    ///   - detail: What the screen beside them shows.
    ///   - former: The page that this one takes the place of, whose texts need not be divided again.
    ///   - readRows: Asks a list for rows, and hears of changes of what they read.
    init(
        _ content: Display.Content, error: String? = nil, detail: Page? = nil, former: Page? = nil,
        readRows: @escaping @MainActor (Display.List, Range<Int>) -> [Display.Row] = { $1.map($0.row) }
    ) {
        title = content.title
        let above = (error.map { [.error($0)] } ?? []) + content.elements
        (elements, own, self.detail) = (above + (detail?.elements ?? []), above.indices, detail)
        paragraphs = former?.paragraphs ?? [:]
        self.readRows = readRows

        var (targets, numbers, choices): ([Int], [Int?], [Place]) = ([], [], [])
        var emptyField: Int?
        var hasProgress = false
        for (index, element) in elements.enumerated() {
            numbers.append(nil)
            switch element {
            case .text, .error: continue
            case .progress:
                hasProgress = true
                continue
            case .list(let list) where list.count == 0: continue
            case .list(let list):
                let free = min(list.count, Self.mostChoices - choices.count)
                choices += (0..<free).map { Place(element: index, row: $0) }
            case .field(let field):
                // A form is typed from its start; a field below other things waits until the user goes there.
                if field.text.isEmpty, choices.isEmpty { emptyField = emptyField ?? index }
            case .button, .row:
                if choices.count < Self.mostChoices { choices.append(Place(element: index)) }
            }
            numbers[index] = targets.count
            targets.append(index)
        }
        (self.targets, self.numbers, self.choices) = (targets, numbers, choices)
        (firstEmptyField, self.hasProgress) = (emptyField, hasProgress)
    }

    /// The elements beside which an element stands, itself included: the content's own, or those of the screen beside them.
    func pane(of element: Int) -> Range<Int> { own.contains(element) ? own : beside }

    /// The elements of the screen beside the content's own.
    var beside: Range<Int> { own.upperBound..<elements.count }

    var hasDetail: Bool { detail != nil }

    /// The number of an element among those that can have the focus.
    func number(of element: Int) -> Int? { numbers.indices.contains(element) ? numbers[element] : nil }

    /// How many places an element has.
    func rows(of element: Int) -> Int {
        if case .list(let list) = elements[element] { list.count } else { 1 }
    }

    func field(at place: Place?) -> Display.Field? {
        if let place, case .field(let field) = elements[place.element] { field } else { nil }
    }

    /// What choosing a place does; nil for a field.
    func action(at place: Place) -> Display.Action? {
        switch elements[place.element] {
        case .button(let button): button.action
        case .row(let row): row.action
        case .list(let list): row(place.row, of: list, at: place.element).action
        case .field, .text, .progress, .error: nil
        }
    }

    /// What is called when a place is given the focus.
    func onFocus(at place: Place) -> (@MainActor () -> Void)? {
        switch elements[place.element] {
        case .row(let row): row.onFocus
        case .list(let list): row(place.row, of: list, at: place.element).onFocus
        case .button, .field, .text, .progress, .error: nil
        }
    }

    /// A row of a list, asked for with its neighbours when it is first needed.
    func row(_ row: Int, of list: Display.List, at element: Int) -> Display.Row {
        // Its own page hears of changes of what the row reads.
        if let detail, !own.contains(element) {
            return detail.row(row, of: list, at: element - own.upperBound)
        }
        let start = row / Self.block * Self.block
        let key = Place(element: element, row: start)
        if let known = rows[key] { return known[row - start] }
        if rows.count >= Self.mostBlocks { rows = [:] }
        let read = readRows(list, start..<min(start + Self.block, list.count))
        rows[key] = read
        return read[row - start]
    }

    /// The paragraphs of an element's text, divided when they are first needed.
    func paragraphs(of text: String, at element: Int) -> Paragraphs {
        if let known = paragraphs[element], known.text == text { return known }
        let divided = Paragraphs(text)
        paragraphs[element] = divided
        return divided
    }
}

/// A value that follows from observable state, asked for once after each change.
@MainActor
final class Watched<Value> {
    private let evaluate: @MainActor () -> Value
    private var known: Value?
    private var evaluations = 0

    /// Called after a change of what was read.
    var onChange: @MainActor () -> Void = {}

    init(_ evaluate: @escaping @MainActor () -> Value) {
        self.evaluate = evaluate
    }

    var value: Value {
        if let known { return known }
        evaluations += 1
        let value = observing(evaluate)
        known = value
        return value
    }

    /// Reads more that belongs to the value.
    func observing<Result>(_ read: @MainActor () -> Result) -> Result {
        let evaluation = evaluations
        return withObservationTracking(read) { [weak self] in
            // Called before the property has its new value, hence the task.
            Task { @MainActor in self?.observedChange(of: evaluation) }
        }
    }

    /// Has the value asked for again when it is needed next.
    func forget() {
        known = nil
    }

    private func observedChange(of evaluation: Int) {
        guard evaluation == evaluations else { return }
        known = nil
        onChange()
    }
}

extension Display.Row {
    /// The row on one line: its title, and what is known of the rest.
    func words(_ printable: (String) -> String) -> String {
        let title = printable(title)
        return detail.map { "\(title) — \(printable($0))" } ?? title
    }
}
