import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// The suite for presenters, on the headless one and on presenters that are wrong in one way each.
@MainActor
struct PresenterContractTests {
    private struct HoldingScreen: Screen {
        let object: AnyObject
    }

    private func violations(_ presenter: @autoclosure () -> any Presenter) -> [String] {
        PresenterContract.violations(of: presenter, screen: HoldingScreen.init)
    }

    @Test func headlessPresenter_keepsTheContract() {
        #expect(violations(HeadlessPresenter()).isEmpty)
    }

    @Test(arguments: Fault.allCases)
    func wrongPresenter_isFound(fault: Fault) {
        #expect(violations(WrongPresenter(fault)).contains(fault.rawValue))
    }
}

/// A fault of a presenter, and the violation of the contract.
enum Fault: String, CaseIterable {
    case keepsRemoved = "It keeps removed screens."
    case replacesNothing = "It keeps a replaced screen."
    case losesOthers = "It removes more than it is asked to."
}

/// A presenter with one fault.
@MainActor
private final class WrongPresenter: Presenter {
    private let correct = HeadlessPresenter()
    private let fault: Fault
    private var kept: [HeadlessPresenter.Entry] = []

    init(_ fault: Fault) {
        self.fault = fault
    }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try correct.show(screen, as: presentation)
    }

    func remove(_ presentations: [Presentation.ID]) {
        if fault == .keepsRemoved { kept += correct.stack }
        correct.remove(fault == .losesOthers ? correct.stack.map(\.presentation.id) : presentations)
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        if fault != .replacesNothing { try correct.replace(screens) }
    }
}
