import DisplayInterface
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import DisplayImplementation

/// What routers expect of every presenter, on the two of the terminal.
@MainActor
struct PresenterContractTests {
    private func screen(holding object: AnyObject) -> any Screen {
        Display.ContentScreen { Display.Content(title: "\(type(of: object))", elements: []) }
    }

    @Test func fullScreenPresenter_keepsTheContract() {
        #expect(
            PresenterContract.violations(
                of: { FullScreenPresenter(EmulatedDevice()) }, screen: screen(holding:)
            ).isEmpty)
    }

    @Test func linePresenter_keepsTheContract() {
        #expect(
            PresenterContract.violations(
                of: { LinePresenter(ScriptedLines([])) }, screen: screen(holding:)
            ).isEmpty)
    }
}
