import DisplayInterface

/// What can have the focus: an element, or a row of one that is a list.
struct Place: Hashable {
    var element: Int
    var row = 0
}

/// What has the focus on a screen, remembered in a way that outlives changes of its content.
///
/// Moving costs the same on a page of any length; only after a change the remembered element is looked for.
@MainActor
struct Focus {
    /// What has the focus, wherever it stands.
    struct Target: Equatable {
        fileprivate enum Kind {
            case field, button, row, list
        }

        fileprivate let kind: Kind
        fileprivate let label: String
        /// What the list tells the row apart by.
        fileprivate let rowID: AnyHashable?
    }

    private struct Memory {
        let target: Target
        /// The number of the element among those that can have the focus.
        let number: Int
        let row: Int
    }

    private var memory: Memory?

    /// How far from where it was a row of a list is looked for; beyond, the focus stays where it is seen.
    private static let rowReach = 1000

    /// Where the focus is: at the remembered element, or at the nearest to where that was; nil if none can have it.
    ///
    /// At first it is in the first field that is empty, or else at the first element.
    func place(on page: Page) -> Place? {
        guard !page.targets.isEmpty else { return nil }
        guard let memory else { return Place(element: page.firstEmptyField ?? page.targets[0]) }
        guard let number = number(of: memory, on: page) else {
            let number = min(memory.number, page.targets.count - 1)
            return Place(element: page.targets[number])
        }
        let element = page.targets[number]
        guard case .list(let list) = page.elements[element] else { return Place(element: element) }
        return Place(element: element, row: row(of: memory, in: list))
    }

    /// Remembers a place.
    mutating func put(_ place: Place, on page: Page) {
        guard let number = page.number(of: place.element), let target = Self.target(at: place, on: page)
        else { return }
        memory = Memory(target: target, number: number, row: place.row)
    }

    /// What is at a place.
    static func target(at place: Place, on page: Page) -> Target? {
        let element = page.elements[place.element]
        guard let (kind, label) = identity(of: element) else { return nil }
        var rowID: AnyHashable?
        if case .list(let list) = element, place.row < list.count { rowID = list.id(place.row) }
        return Target(kind: kind, label: label, rowID: rowID)
    }

    /// Remembers where the focus is, unless something is remembered already.
    mutating func settle(on page: Page, again: Bool = false) {
        if memory == nil || again, let place = place(on: page) { put(place, on: page) }
    }

    /// The place before or behind another one, row by row.
    static func neighbour(of place: Place, by step: Int, on page: Page) -> Place? {
        let row = place.row + step
        if row >= 0, row < page.rows(of: place.element) { return Place(element: place.element, row: row) }
        guard let number = page.number(of: place.element), page.targets.indices.contains(number + step) else {
            return nil
        }
        let element = page.targets[number + step]
        return Place(element: element, row: step < 0 ? page.rows(of: element) - 1 : 0)
    }

    /// The first place of the element before or behind another one, and at the end of the page from the start.
    static func nextElement(after place: Place, by step: Int, on page: Page) -> Place? {
        guard let number = page.number(of: place.element) else { return nil }
        let count = page.targets.count
        return Place(element: page.targets[(number + step + count) % count])
    }

    private func number(of memory: Memory, on page: Page) -> Int? {
        let count = page.targets.count
        let start = min(memory.number, count - 1)
        for distance in 0..<count {
            for number in [start - distance, start + distance] where page.targets.indices.contains(number) {
                guard let (kind, label) = Self.identity(of: page.elements[page.targets[number]]) else {
                    continue
                }
                if kind == memory.target.kind, label == memory.target.label { return number }
            }
        }
        return nil
    }

    private func row(of memory: Memory, in list: Display.List) -> Int {
        for distance in 0...Self.rowReach {
            for row in [memory.row - distance, memory.row + distance] where row >= 0 && row < list.count {
                if list.id(row) == memory.target.rowID { return row }
            }
        }
        return max(0, min(memory.row, list.count - 1))
    }

    private static func identity(of element: Display.Element) -> (Target.Kind, String)? {
        switch element {
        case .field(let field): (.field, field.label)
        case .button(let button): (.button, button.title)
        case .row(let row): (.row, row.title)
        case .list: (.list, "")
        case .text, .progress, .error: nil
        }
    }
}

/// Where the user is on one screen.
@MainActor
struct ScreenView {
    var focus = Focus()
    /// The text of the focused field, as soon as something was typed there.
    var editor: TextEditor?
    /// What was told last that it has the focus.
    var focused: Focus.Target?
    /// The first line that is seen.
    var top = LinePosition()
    /// The same of the screen beside the elements, whose first is number 0 here.
    var detailTop = LinePosition()
    /// False after the user has scrolled away from the focus.
    var followsFocus = true
}
