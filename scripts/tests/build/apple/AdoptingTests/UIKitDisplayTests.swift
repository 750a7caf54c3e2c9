import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing
import UIKit
import UIKitDisplayInterface

@testable import UIKitDisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(1)))
final class UIKitDisplayTests {
    private let pages = Pages(on: UIKitDisplayModule()) { title in
        let controller = UIViewController()
        controller.title = title
        return UIKitDisplay.ControllerScreen(controller)
    }
    private let window = UIWindow()

    init() throws {
        (Transitions.takeTime, Transitions.ignoredCalls) = (false, 0)
        window.rootViewController = try pages.router.resolve((any UIKitDisplay.Window).self).controller
    }

    @Test(arguments: [true, false])
    func presenter_keepsTheContract(inAWindow: Bool) {
        var windows: [UIWindow] = []
        let violations = PresenterContract.violations(
            of: {
                let presenter = UIKitPresenter()
                let window = UIWindow()
                window.rootViewController = presenter.controller
                if inAWindow { window.makeKeyAndVisible() }
                windows.append(window)
                return presenter
            },
            screen: {
                let controller = HoldingController()
                controller.object = $0
                return UIKitDisplay.ControllerScreen(controller)
            })
        #expect(violations == [])
        #expect(Transitions.ignoredCalls == 0)
    }

    @Test func screens_areOnAPathAndInSheetsWithPathsOfTheirOwn() async throws {
        window.makeKeyAndVisible()
        #expect(shown == [[]])
        try await pages.start(.push, .modal, .push)
        #expect(shown == [["page 0", "page 1"], ["page 2", "page 3"]])
        try await pages.router.open(Page(4), as: .root)
        #expect(shown == [["page 4"]])
    }

    @Test func sheetsBeforeTheWindow_arePresentedWithIt() async throws {
        try await pages.start(.modal, .modal)
        #expect(shown == [["page 0"]])
        window.makeKeyAndVisible()
        #expect(shown == [["page 0"], ["page 1"], ["page 2"]])
        #expect(Transitions.ignoredCalls == 0)
    }

    @Test func backButton_asksTheRouter_andPopsNothingItself() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.push)
        pages.user.stays = true
        levels[0].tapBack()
        #expect(shown == [["page 0", "page 1"]])
        try await wait { pages.user.questions == 1 }
        #expect(shown == [["page 0", "page 1"]])
        pages.user.stays = false
        levels[0].tapBack()
        try await wait { pages.shown == [0] }
        #expect(shown == [["page 0"]])
    }

    @Test func edgeGesture_isReported_andAUserWhoStaysIsShownTheScreenAgain() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.push, .push)
        pages.user.stays = true
        _ = levels[0].popViewController(animated: true)
        #expect(shown == [["page 0", "page 1"]])
        try await wait { shown == [["page 0", "page 1", "page 2"]] }
        #expect(pages.user.questions == 1)
        pages.user.stays = false
        _ = levels[0].popViewController(animated: true)
        try await wait { pages.shown == [0, 1] }
        #expect(shown == [["page 0", "page 1"]])
    }

    @Test func screenThatTheRouterRemoves_whileTheUserPopsIt_isNotReported() async throws {
        let presenter = UIKitPresenter()
        window.rootViewController = presenter.controller
        window.makeKeyAndVisible()
        var closings = 0
        let presentations = [1, 2].map { id in
            Presentation(id: id, style: .push, isRoot: id == 1) { closings += 1 }
        }
        for each in presentations {
            try presenter.show(UIKitDisplay.ControllerScreen(UIViewController()), as: each)
        }
        _ = levels[0].popViewController(animated: true)
        presentations[1].end()
        presenter.remove([2])
        for _ in 0..<20 { await Task.yield() }
        #expect(closings == 0)
        #expect(levels[0].viewControllers.count == 1)
    }

    @Test func modalScreenBelowAllOthers_isTheFirstOfTheWindow() throws {
        let presenter = UIKitPresenter()
        window.rootViewController = presenter.controller
        window.makeKeyAndVisible()
        let presentation = Presentation(id: 1, style: .modal, isRoot: true) {}
        try presenter.show(UIKitDisplay.ControllerScreen(UIViewController()), as: presentation)
        #expect(levels.map(\.viewControllers.count) == [1])
    }

    @Test func swipingDown_isReported_andTheSheetShowsItsScreensUntilItIsGone() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.modal, .push)
        pages.user.stays = true
        levels[1].swipeDown()
        try await wait { pages.user.questions == 1 }
        #expect(shown == [["page 0"], ["page 1", "page 2"]])
        pages.user.stays = false
        Transitions.takeTime = true
        levels[1].swipeDown()
        try await wait { pages.shown == [0] }
        #expect(shown == [["page 0"], ["page 1", "page 2"]])
        Transitions.finish()
        #expect(shown == [["page 0"]])
    }

    @Test func sheetAfterASheet_isPresentedWhenThatHasGone() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.modal)
        Transitions.takeTime = true
        levels[1].swipeDown()
        try await wait { pages.shown == [0] }
        try await pages.router.open(Page(8), as: .modal)
        try await pages.router.open(Page(9), as: .modal)
        for _ in 0..<3 { Transitions.finish() }
        #expect(shown == [["page 0"], ["page 8"], ["page 9"]])
        #expect(Transitions.ignoredCalls == 0)
    }

    @Test func sheetThatIsRemovedBelowAnother_leavesThatOne() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.modal, .modal)
        try pages.router.resolve((any Presenter).self).remove([2])
        #expect(shown == [["page 0"], ["page 2"]])
    }

    @Test func alertOfAScreen_stays() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.push)
        let alert = UIViewController()
        levels[0].present(alert, animated: true)
        levels[0].tapBack()
        try await wait { pages.shown == [0] }
        #expect(levels[0].presentedViewController === alert)
        try await pages.router.open(Page(5), as: .modal)
        #expect(shown == [["page 0"], ["page 5"]])
    }

    @Test func sheetThatUIKitIgnores_becauseAnAlertMoves_isPresentedWithTheNextChange() async throws {
        window.makeKeyAndVisible()
        try await pages.start()
        Transitions.takeTime = true
        levels[0].present(UIViewController(), animated: true)
        try await pages.router.open(Page(1), as: .modal)
        #expect(Transitions.ignoredCalls == 1)
        Transitions.finish()
        try await pages.router.open(Page(2))
        for _ in 0..<2 { Transitions.finish() }
        #expect(shown == [["page 0"], ["page 1", "page 2"]])
    }

    @Test func exchangedModule_showsItsScreensInTheSamePlaces() async throws {
        window.makeKeyAndVisible()
        try await pages.start(.push, .modal)
        try await pages.exchange(titled: "new page")
        #expect(shown == [["new page 0", "new page 1"], ["new page 2"]])
        levels[0].tapBack()
        try await wait { pages.shown == [0] }
        #expect(shown == [["new page 0"]])
    }

    @Test func unknownScreen_isRefused() async {
        struct Other: Screen {}
        let pages = Pages(on: UIKitDisplayModule()) { _ in Other() }
        await #expect(performing: { try await pages.start() }, throws: isUnknownScreen)
    }

    /// The navigation controllers that are shown, the window's first.
    private var levels: [UINavigationController] {
        Array(sequence(first: window.rootViewController) { $0?.presentedViewController }.prefix { $0 != nil })
            .compactMap { $0 as? UINavigationController }
    }

    private var shown: [[String?]] { levels.map { $0.viewControllers.map(\.title) } }
}

private final class HoldingController: UIViewController {
    var object: AnyObject?
}
