import DisplayInterface

/// What has the focus on a screen, remembered in a way that outlives changes of its content.
struct ScreenFocus: Equatable {
    /// The identity of an element that can have the focus.
    struct Target: Hashable {
        enum Kind: Hashable {
            case field, button, row
        }

        let kind: Kind
        let label: String
        /// How many elements of the same kind and label stand above.
        let occurrence: Int
    }

    private var target: Target?
    private var position = 0

    /// The element that has the focus: the remembered one, or the nearest to where it was; nil if there is none.
    func index(in elements: [Display.Element]) -> Int? {
        let targets = Self.targets(in: elements)
        guard !targets.isEmpty else { return nil }
        return (targets.first { $0.target == target } ?? targets[min(position, targets.count - 1)]).index
    }

    /// Moves the focus by a number of elements.
    ///
    /// - Returns: False when there is no element to move to.
    mutating func move(by step: Int, in elements: [Display.Element], wraps: Bool) -> Bool {
        let targets = Self.targets(in: elements)
        guard let present = targets.firstIndex(where: { $0.index == index(in: elements) }) else {
            return false
        }
        var next = present + step
        if wraps { next = (next + targets.count) % targets.count }
        guard targets.indices.contains(next), next != present else { return false }
        (target, position) = (targets[next].target, next)
        return true
    }

    /// Remembers the element that has the focus first.
    mutating func settleOnce(in elements: [Display.Element]) {
        if target == nil { settle(in: elements) }
    }

    /// Remembers the element that has the focus now.
    mutating func settle(in elements: [Display.Element]) {
        let targets = Self.targets(in: elements)
        guard let present = targets.firstIndex(where: { $0.index == index(in: elements) }) else { return }
        (target, position) = (targets[present].target, present)
    }

    private static func targets(in elements: [Display.Element]) -> [(index: Int, target: Target)] {
        var seen: [Target: Int] = [:]
        return elements.enumerated().compactMap { index, element in
            guard let (kind, label) = identity(of: element) else { return nil }
            let first = Target(kind: kind, label: label, occurrence: 0)
            defer { seen[first, default: 0] += 1 }
            return (index, Target(kind: kind, label: label, occurrence: seen[first, default: 0]))
        }
    }

    private static func identity(of element: Display.Element) -> (Target.Kind, String)? {
        switch element {
        case .field(let field): (.field, field.label)
        case .button(let button): (.button, button.title)
        case .row(let row): (.row, row.title)
        case .text, .progress, .error: nil
        }
    }
}
