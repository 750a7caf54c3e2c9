import Observation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import SwiftUI
import SwiftUIDisplayInterface
import Testing

@testable import SwiftUIDisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SwiftUIDisplayTests {
    private let pages = Pages(on: SwiftUIDisplayModule()) { SwiftUIDisplay.ViewScreen(Text($0)) }

    @Test func presenter_keepsTheContract() {
        let violations = PresenterContract.violations(of: { SwiftUIPresenter() }) {
            SwiftUIDisplay.ViewScreen(HoldingView(object: $0))
        }
        #expect(violations == [])
    }

    @Test func screens_areOnAPathAndInSheetsWithPathsOfTheirOwn() async throws {
        #expect(try window().texts == [])
        try await pages.start(.push, .modal, .push)
        let window = try window()
        #expect(window.texts == ["page 0"])
        #expect(window.path.map(\.texts) == [["page 1"]])
        #expect(window.sheet?.texts == ["page 2"])
        #expect(window.sheet?.path.map(\.texts) == [["page 3"]])
        try await pages.router.open(Page(4), as: .root)
        #expect(window.now.texts == ["page 4"])
        #expect(window.now.path.isEmpty && window.now.sheet == nil)
    }

    @Test func goingBack_isReported() async throws {
        try await pages.start(.push, .push, .push)
        try window().goBack()
        try await wait { pages.shown == [0, 1, 2] }
        try window().goBack(by: 2)
        try await wait { pages.shown == [0] }
        #expect(try window().path.isEmpty)
    }

    @Test func swipingDown_isReported_andTheSheetShowsItsScreenUntilItIsGone() async throws {
        try await pages.start(.modal, .push, .modal)
        let sheet = try #require(try window().sheet)
        sheet.swipeDown()
        try await wait { pages.shown == [0, 1, 2] }
        #expect(sheet.now.sheet == nil)
        try window().swipeDown()
        try await wait { pages.shown == [0] }
        #expect(try window().sheet == nil)
        #expect(sheet.now.texts == ["page 1"])
        #expect(sheet.now.path.map(\.texts) == [["page 2"]])
    }

    @Test func userWhoStays_isShownTheScreenAgain() async throws {
        try await pages.start(.push, .modal, .push)
        pages.user.stays = true
        for gesture: @MainActor (Shown) -> Void in [
            { $0.sheet?.goBack() }, { $0.swipeDown() }, { $0.goBack() },
        ] {
            let (changes, change) = AsyncStream<Void>.makeStream()
            let window = try window()
            withObservationTracking {
                _ = window.now
            } onChange: {
                change.finish()
            }
            gesture(window)
            // Until SwiftUI draws the window again.
            for await _ in changes {}
            #expect(pages.shown == [0, 1, 2, 3])
        }
        #expect(pages.user.questions == 3)
        #expect(try window().sheet?.topTexts == ["page 3"])
    }

    @Test func exchangedModule_showsItsScreensInTheSamePlaces() async throws {
        try await pages.start(.push, .modal)
        let pushed = try #require(try window().path.first)
        try await pages.exchange(titled: "new page")
        #expect(try window().texts == ["new page 0"])
        #expect(try window().path.map(\.texts) == [["new page 1"]])
        #expect(try window().sheet?.texts == ["new page 2"])
        // SwiftUI keeps an element of the path that is equal to the new one, also while it goes.
        #expect(pushed.now.texts == ["new page 1"])
        try window().goBack()
        try await wait { pages.shown == [0] }
        #expect(pushed.now.texts != [])
    }

    @Test func sheetThatIsRemovedBelowAnother_leavesThatOne() async throws {
        try await pages.start(.modal, .modal)
        try pages.router.resolve((any Presenter).self).remove([2])
        #expect(try window().sheet?.texts == ["page 2"])
    }

    @Test func modalScreenBelowAllOthers_isTheFirstOfTheWindow() throws {
        let presenter = SwiftUIPresenter()
        let presentation = Presentation(id: 1, style: .modal, isRoot: true) {}
        try presenter.show(SwiftUIDisplay.ViewScreen(Text("sign in")), as: presentation)
        #expect(Shown(presenter.content).texts == ["sign in"])
    }

    @Test func unknownScreen_isRefused() async {
        struct Other: Screen {}
        let pages = Pages(on: SwiftUIDisplayModule()) { _ in Other() }
        await #expect(performing: { try await pages.start() }, throws: isUnknownScreen)
    }

    private func window() throws -> Shown {
        Shown(try pages.router.resolve((any SwiftUIDisplay.Window).self).content)
    }
}

private struct HoldingView: View {
    let object: AnyObject

    var body: some View { Text("\(type(of: object))") }
}
