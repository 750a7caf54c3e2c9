import DisplayInterface

/// An element that can have the focus, or a row of a list.
struct Place: Hashable {
    var element: Int
    var row = 0
}

/// The focus of a screen, which stays on its element when the content changes.
@MainActor
struct Focus {
    fileprivate enum Kind: String, Codable {
        case field, button, row, list
    }

    /// The focus in a form that another process can read: it does not know the identities of rows.
    struct Memory: Codable, Equatable {
        fileprivate let kind: Kind
        fileprivate let label: String
        /// The index of the element among the page's targets.
        fileprivate let number: Int
        fileprivate let row: Int
    }

    let memory: Memory?
    private let rowID: AnyHashable?

    /// A row that has moved farther loses the focus.
    private static let rowReach = 1000

    init(_ memory: Memory? = nil) {
        self.memory = memory
        rowID = nil
    }

    /// The focus at a place of a page; nil where no element can have it.
    init?(at place: Place, on page: Page) {
        let element = page.elements[place.element]
        guard let number = page.number(of: place.element), let (kind, label) = Self.identity(of: element)
        else { return nil }
        memory = Memory(kind: kind, label: label, number: number, row: place.row)
        if case .list(let list) = element, place.row < list.count {
            rowID = list.id(place.row)
        } else {
            rowID = nil
        }
    }

    /// Whether another focus is on the same element or row, which may have moved.
    func isSame(as other: Focus?) -> Bool {
        memory?.kind == other?.memory?.kind && memory?.label == other?.memory?.label && rowID == other?.rowID
    }

    /// The place of the remembered element; where the element is gone, the first element.
    ///
    /// At first, the focus is in the first empty field of a form, or else on the first element. An element that took the place of
    /// another element does not receive the focus, because a key that was meant for the other may follow.
    func place(on page: Page) -> Place? {
        guard let memory else {
            return (page.firstEmptyField ?? page.targets.first).map { Place(element: $0) }
        }
        guard let number = number(of: memory, on: page) else {
            return page.targets.first.map { Place(element: $0) }
        }
        let element = page.targets[number]
        guard case .list(let list) = page.elements[element] else { return Place(element: element) }
        return Place(
            element: element, row: row(of: memory, in: list) ?? max(0, min(memory.row, list.count - 1)))
    }

    /// Whether the remembered element or row is on the page, or the page has none.
    func isFound(on page: Page) -> Bool {
        guard let memory else { return page.targets.isEmpty }
        guard let number = number(of: memory, on: page) else { return false }
        guard case .list(let list) = page.elements[page.targets[number]] else { return true }
        return row(of: memory, in: list) != nil
    }

    /// The focus at its place on the page, even where the remembered element is gone.
    func settled(on page: Page) -> Focus {
        place(on: page).flatMap { Focus(at: $0, on: page) } ?? self
    }

    /// Remembers the place on the page, unless the remembered element is gone and may come back.
    mutating func settle(on page: Page) {
        if memory == nil || isFound(on: page) { self = settled(on: page) }
    }

    static func neighbour(of place: Place, by step: Int, on page: Page) -> Place? {
        let row = place.row + step
        if row >= 0, row < page.rows(of: place.element) { return Place(element: place.element, row: row) }
        guard let number = page.number(of: place.element), page.targets.indices.contains(number + step) else {
            return nil
        }
        let element = page.targets[number + step]
        return Place(element: element, row: step < 0 ? page.rows(of: element) - 1 : 0)
    }

    /// The first place of the element before or after a place, wrapping around at the ends of the page.
    static func nextElement(after place: Place, by step: Int, on page: Page) -> Place? {
        guard let number = page.number(of: place.element) else { return nil }
        let count = page.targets.count
        return Place(element: page.targets[(number + step + count) % count])
    }

    private func number(of memory: Memory, on page: Page) -> Int? {
        guard !page.targets.isEmpty else { return nil }
        let count = page.targets.count
        let start = min(memory.number, count - 1)
        for distance in 0..<count {
            for number in [start - distance, start + distance] where page.targets.indices.contains(number) {
                guard let (kind, label) = Self.identity(of: page.elements[page.targets[number]]) else {
                    continue
                }
                if kind == memory.kind, label == memory.label { return number }
            }
        }
        return nil
    }

    private func row(of memory: Memory, in list: Display.List) -> Int? {
        let rows = 0..<list.count
        guard let rowID else { return rows.contains(memory.row) ? memory.row : nil }
        for distance in 0...Self.rowReach {
            for row in [memory.row - distance, memory.row + distance] where rows.contains(row) {
                if list.id(row) == rowID { return row }
            }
        }
        return nil
    }

    private static func identity(of element: Display.Element) -> (Kind, String)? {
        switch element {
        case .field(let field): (.field, field.label)
        case .button(let button): (.button, button.title)
        case .row(let row): (.row, row.title)
        case .list: (.list, "")
        case .text, .progress, .error: nil
        }
    }
}

/// The place where the user, who may not look at the screen, expects to type.
///
/// Typing that begins in a secure field must not continue elsewhere: when the focus was moved, typed characters are rejected
/// until a key of the user moves it. A process that continues another one ignores keys until its first frame. Typed
/// characters then reach the element that had the focus; on a screen with a secure field, only that field, because the key
/// that moved the focus there may be lost.
enum TypingTarget: Equatable {
    case focus
    /// The focus of a process that this process continues.
    case resumed
    case secureField(String)

    enum Decision {
        case accept, ignore, reject
    }

    /// Decides whether a key is handled on a screen, whose secure field may have the focus.
    @MainActor
    mutating func decide(
        on key: Key, on screen: StackedScreen, secret: String?, isDrawn: Bool
    ) -> Decision {
        switch key {
        case .suspend, .redraw, .control: return .accept
        case _ where self != .focus && !isDrawn: return .ignore
        case .left, .right, .wordLeft, .wordRight, .home, .end, .scroll: return .accept
        case .text, .paste, .enter, .backspace, .delete, .eraseWord, .eraseToStart, .eraseToEnd:
            let isExpected =
                switch self {
                case .focus: true
                case .secureField(let label): label == secret
                case .resumed:
                    screen.position.focus.isFound(on: screen.page)
                        && (secret != nil || !screen.page.hasSecret)
                }
            guard isExpected else { return .reject }
            self = key == .enter ? .focus : secret.map(Self.secureField) ?? .focus
            return .accept
        default:
            self = .focus
            return .accept
        }
    }
}
