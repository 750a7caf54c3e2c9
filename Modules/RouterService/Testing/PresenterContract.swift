public import RouterServiceInterface
public import RouterServiceProgram

/// The expectations of a router for any presenter, as a test.
///
/// ```swift
/// #expect(PresenterContract.violations(of: { HeadlessPresenter() }, screen: HoldingScreen.init).isEmpty)
/// ```
@MainActor
public struct PresenterContract {
    @MainActor
    private final class Shown {
        let id: Presentation.ID
        weak var presentation: Presentation?
        weak var held: Held?

        init(_ id: Presentation.ID) { self.id = id }

        var isKept: Bool { held != nil && presentation != nil }
        var isReleased: Bool { held == nil && presentation == nil }
    }

    /// An object of a screen, which may use the presenter when it is released.
    @MainActor
    private final class Held {
        var onRelease: @MainActor () -> Void = {}

        isolated deinit { onRelease() }
    }

    private let presenter: any Presenter
    private let screen: (AnyObject) -> any Screen
    private var violations: [String] = []
    private var count = 0
    private let closings = Closings()

    @MainActor
    private final class Closings { var count = 0 }

    private init(_ presenter: any Presenter, _ screen: @escaping (AnyObject) -> any Screen) {
        self.presenter = presenter
        self.screen = screen
    }

    /// Shows, replaces and removes screens as a router does.
    ///
    /// - Parameters:
    ///   - presenter: Makes a presenter that shows nothing yet.
    ///   - screen: Makes a screen that holds an object for as long as it lives.
    /// - Returns: The violated expectations.
    public static func violations(
        of presenter: () -> any Presenter, screen: @escaping (AnyObject) -> any Screen
    ) -> [String] {
        [
            keepsUntilRemoved, removesFromTheMiddle, replacesInPlace, mayBeCalledOnRelease,
        ]
        .flatMap { check in
            var contract = PresenterContract(presenter(), screen)
            do { try check(&contract) } catch { contract.violations.append("It throws: \(error)") }
            contract.expect(contract.closings.count == 0, "It closes a presentation that no user has left.")
            return contract.violations
        }
    }

    private static func keepsUntilRemoved(_ contract: inout PresenterContract) throws {
        let shown = try [.root, .push, .modal].map { try contract.show($0) }
        contract.expect(shown.allSatisfy(\.isKept), "It does not keep the screens that it shows.")
        contract.remove([shown[2], shown[1]])
        contract.expect(shown[0].isKept, "It removes more than it is asked to.")
        contract.expect(shown[1].isReleased && shown[2].isReleased, "It keeps removed screens.")
        contract.remove([shown[1]])
        contract.expect(shown[0].isKept, "It does not ignore what is already gone.")
    }

    private static func removesFromTheMiddle(_ contract: inout PresenterContract) throws {
        let first = try contract.show(.root)
        let new = try contract.show(.root)
        contract.remove([first])
        contract.expect(first.isReleased && new.isKept, "It does not remove what is below a new root.")
        let (below, above) = (try contract.show(.push), try contract.show(.push))
        contract.remove([below])
        contract.expect(below.isReleased && above.isKept, "It does not remove what is below the top alone.")
    }

    private static func replacesInPlace(_ contract: inout PresenterContract) throws {
        for hasSameIdentity in [true, false] {
            let shown = try [.root, .push, .modal].map { try contract.show($0) }
            let new = try contract.replace(shown[1], as: .push, hasSameIdentity: hasSameIdentity)
            contract.expect(shown[1].isReleased, "It keeps a replaced screen.")
            contract.expect(
                shown[0].isKept && new.isKept && shown[2].isKept, "It loses screens in replacing one.")
            contract.remove([shown[2], new])
            contract.expect(
                new.isReleased && shown[0].isKept, "It does not know a new screen by its own identity.")
        }
    }

    private static func mayBeCalledOnRelease(_ contract: inout PresenterContract) throws {
        let (root, below) = (try contract.show(.root), try contract.show(.push))
        let (former, above) = (try contract.show(.push), try contract.show(.modal))
        let presenter = contract.presenter
        above.held?.onRelease = { [id = below.id] in presenter.remove([id]) }
        contract.remove([above])
        contract.expect(
            above.isReleased && below.isReleased, "A screen cannot remove another on its release.")
        former.held?.onRelease = { [id = former.id] in presenter.remove([id]) }
        let new = try contract.replace(former, as: .push)
        contract.expect(
            new.isReleased && root.isKept, "A replaced screen cannot remove the new one on its release.")
    }

    private mutating func expect(_ condition: Bool, _ violation: String) {
        if !condition { violations.append(violation) }
    }

    private mutating func show(_ style: PresentationStyle) throws -> Shown {
        let shown = next()
        let (screen, presentation) = made(shown, style)
        try presenter.show(screen, as: presentation)
        return shown
    }

    private mutating func replace(
        _ former: Shown, as style: PresentationStyle, hasSameIdentity: Bool = true
    ) throws -> Shown {
        let shown = hasSameIdentity ? Shown(former.id) : next()
        former.presentation?.end()
        try presenter.replace([former.id: made(shown, style)])
        return shown
    }

    private mutating func next() -> Shown {
        count += 1
        return Shown(Presentation.ID(count))
    }

    private func made(
        _ shown: Shown, _ style: PresentationStyle
    ) -> (screen: any Screen, presentation: Presentation) {
        let presentation = Presentation(id: shown.id, style: style, isRoot: shown.id == Presentation.ID(1)) {
            [closings] in closings.count += 1
        }
        let held = Held()
        shown.presentation = presentation
        shown.held = held
        return (screen(held), presentation)
    }

    private func remove(_ removed: [Shown]) {
        for shown in removed { shown.presentation?.end() }
        presenter.remove(removed.map(\.id))
    }
}
