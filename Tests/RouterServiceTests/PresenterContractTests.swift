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

    @Test func presenterThatForgetsNothing_isFound() {
        #expect(violations(WrongPresenter(keepsRemoved: true)).contains("It keeps removed screens."))
    }

    @Test func presenterThatReplacesNothing_isFound() {
        #expect(violations(WrongPresenter(replacesNothing: true)).contains("It keeps a replaced screen."))
    }

    @Test func presenterThatKnowsEveryStyle_isFound() {
        #expect(
            violations(WrongPresenter(knowsEveryStyle: true)).contains(
                "It shows a screen in a style that it does not know."))
    }

    @Test func presenterThatClosesWhatIsRemoved_isFound() async {
        #expect(
            violations(WrongPresenter(losesOthers: true)).contains("It removes more than it is asked to."))
    }
}

/// A presenter with one fault.
@MainActor
private final class WrongPresenter: Presenter {
    private let correct = HeadlessPresenter()
    private let keepsRemoved, replacesNothing, losesOthers: Bool
    private var kept: [HeadlessPresenter.Entry] = []

    init(
        keepsRemoved: Bool = false, replacesNothing: Bool = false, knowsEveryStyle: Bool = false,
        losesOthers: Bool = false
    ) {
        (self.keepsRemoved, self.replacesNothing, self.losesOthers) = (
            keepsRemoved, replacesNothing, losesOthers
        )
        if knowsEveryStyle {
            correct.knownStyles.insert(PresentationStyle("a style that no presenter knows"))
        }
    }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try correct.show(screen, as: presentation)
    }

    func remove(_ presentations: [Presentation.ID]) {
        if keepsRemoved { kept += correct.stack }
        correct.remove(losesOthers ? correct.stack.map(\.presentation.id) : presentations)
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        if !replacesNothing { try correct.replace(screens) }
    }
}
