import DisplayInterface
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import DisplayImplementation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ScreenStackTests {
    private let stack = ScreenStack()

    private func presentation(_ number: Int, _ style: PresentationStyle = .push) -> Presentation {
        Presentation(id: Presentation.ID(number), style: style, isRoot: number == 1) {}
    }

    private func show(_ screen: Display.ContentScreen, _ number: Int) throws -> StackedScreen {
        try stack.show(screen, as: presentation(number))
        return try #require(stack.top)
    }

    @Test func stack_keepsTheContractOfPresenters() {
        let violations = PresenterContract.violations(of: { ScreenStack() }) { object in
            Display.ContentScreen("\(type(of: object))", [])
        }
        #expect(violations.isEmpty)
    }

    @Test func show_ofAnotherKindOfScreen_isRefused() throws {
        let error = #expect(throws: RouterError.self) { try stack.show(Poster(), as: presentation(1)) }
        let name = TypeKey((any Display.Terminal).self)
        #expect(
            error?.description
                == RouterError.unknownScreen(TypeKey(Poster.self), presenter: name).description)
        #expect(stack.top == nil)
    }

    @Test func replace_putsScreensInTheirPlaces_andLetsTheTopmostAppear() async throws {
        let appearances = Counter()
        _ = try show(Display.ContentScreen("A"), 1)
        let former = try show(Display.ContentScreen("B"), 2)
        let new = Display.ContentScreen(appear: { appearances.value += 1 }) {
            Display.Content(title: "C", elements: [])
        }
        try stack.replace([2: (new, presentation(2)), 1: (Display.ContentScreen("D"), presentation(1))])
        #expect(stack.path(columns: 80) == "D › C")
        #expect(stack.top !== former)
        while appearances.value == 0 { try await yieldUnlessCancelled() }
    }

    @Test func replace_cancelsAnActionOnTop_andLetsOneBelowEndOnTheNewScreen() async throws {
        let (cancelled, gate) = (Counter(), AsyncStream.makeStream(of: Void.self))
        let below = try show(Display.ContentScreen("A"), 1)
        below.perform {
            for await _ in gate.stream { break }
            try Task.checkCancellation()
            throw RouterError.emptyStack
        }
        let top = try show(Display.ContentScreen("B"), 2)
        top.perform {
            do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.value = 1 }
        }
        try stack.replace([
            1: (Display.ContentScreen("C"), presentation(1)),
            2: (Display.ContentScreen("D"), presentation(2)),
        ])
        while cancelled.value == 0 { try await yieldUnlessCancelled() }
        #expect(stack.screens.map(\.isBusy) == [true, false])
        gate.continuation.yield()
        while stack.screens[0].isBusy { try await yieldUnlessCancelled() }
        let errors = stack.screens[0].page.elements.compactMap {
            if case .error(let text) = $0 { text } else { nil }
        }
        #expect(errors == [RouterError.emptyStack.description])
    }

    @Test func replace_withAnotherKindOfScreen_changesNothing() throws {
        _ = try show(Display.ContentScreen("A"), 1)
        let former = try show(Display.ContentScreen("B"), 2)
        #expect(throws: RouterError.self) {
            try stack.replace([
                1: (Display.ContentScreen("C"), presentation(1)), 2: (Poster(), presentation(2)),
            ])
        }
        #expect(stack.path(columns: 80) == "A › B")
        #expect(stack.top === former)
    }

    /// A screen that has appeared once, and counts how often.
    private func appearedScreen(counting appearances: Counter) async throws -> StackedScreen {
        let screen = try show(
            Display.ContentScreen(appear: { appearances.value += 1 }) {
                Display.Content(title: "A", elements: [])
            }, 1)
        while screen.isBusy { try await yieldUnlessCancelled() }
        return screen
    }

    @Test(arguments: [true, false])
    func screenOnTopAgain_appearsAfterTheAction_belowItsError(fails: Bool) async throws {
        let (appearances, gate) = (Counter(), AsyncStream.makeStream(of: Void.self))
        let screen = try await appearedScreen(counting: appearances)
        screen.perform {
            for await _ in gate.stream { break }
            if fails { throw RouterError.emptyStack }
        }
        _ = try show(Display.ContentScreen("B"), 2)
        stack.remove([Presentation.ID(2)])
        gate.continuation.yield()
        while screen.isBusy { try await yieldUnlessCancelled() }
        #expect(appearances.value == 2)
        let errors = screen.page.elements.compactMap { if case .error(let text) = $0 { text } else { nil } }
        #expect(errors == (fails ? [RouterError.emptyStack.description] : []))
    }

    @Test(arguments: [true, false])
    func screen_whoseActionIsCancelled_orThatIsCovered_doesNotAppear(isCancelled: Bool) async throws {
        let (appearances, gate) = (Counter(), AsyncStream.makeStream(of: Void.self))
        let screen = try await appearedScreen(counting: appearances)
        screen.perform { for await _ in gate.stream { break } }
        _ = try show(Display.ContentScreen("B"), 2)
        stack.remove([Presentation.ID(2)])
        if isCancelled { screen.cancel() } else { _ = try show(Display.ContentScreen("C"), 3) }
        gate.continuation.yield()
        while screen.isBusy { try await yieldUnlessCancelled() }
        #expect(appearances.value == 1)
    }

    /// Otherwise a screen that asks for a sign-in could not be left.
    @Test func appearance_duringWhichAnotherScreenCameAndWent_isNotRepeated() async throws {
        let appearances = Counter()
        let screen = try show(
            Display.ContentScreen(appear: { [stack] in
                appearances.value += 1
                guard appearances.value < 3 else { return }
                try stack.show(Display.ContentScreen("B"), as: presentation(2, .modal))
                stack.remove([Presentation.ID(2)])
                throw CancellationError()
            }) { Display.Content(title: "A", elements: []) }, 1)
        while screen.isBusy { try await yieldUnlessCancelled() }
        #expect(appearances.value == 1)
    }

    @Test func remove_cancelsWhatRunsOnTheScreen() async throws {
        let model = Counter()
        let screen = try show(Display.ContentScreen("A"), 1)
        screen.perform {
            do { try await Task.sleep(for: .seconds(60)) } catch { model.value = 1 }
        }
        stack.remove([Presentation.ID(1)])
        while model.value == 0 { try await yieldUnlessCancelled() }
    }

    @Test func replace_byAnotherScreen_takesNothingOver_andAppearsWhenItIsOnTop() async throws {
        let (appearances, gate) = (Counter(), AsyncStream.makeStream(of: Void.self))
        let former = try show(Display.ContentScreen("A"), 1)
        former.position.followsFocus = false
        former.perform {
            for await _ in gate.stream { break }
            throw RouterError.emptyStack
        }
        _ = try show(Display.ContentScreen("B"), 2)
        let new = Display.ContentScreen(appear: { appearances.value += 1 }) {
            Display.Content(title: "C", elements: [])
        }
        try stack.replace([1: (new, presentation(3))])
        #expect(stack.path(columns: 80) == "C › B")
        #expect(former.action?.isCancelled == true)
        #expect(!stack.screens[0].isBusy)
        #expect(stack.screens[0].position.followsFocus)
        stack.remove([2, 1])
        while appearances.value == 0 { try await yieldUnlessCancelled() }
        #expect(stack.path(columns: 80) == "C")
    }

    @Test func openingAction_waitsForTheActionThatRuns_andIsTheFirstRequest() async throws {
        var log: [String] = []
        let screen = try show(Display.ContentScreen("A"), 1)
        screen.perform {
            await Task.yield()
            log.append("first")
        }
        stack.request { log.append("request") }
        try stack.begin { log.append("opening") }
        while stack.hasRequests || screen.isBusy {
            stack.beginRequest(on: screen)
            try await yieldUnlessCancelled()
        }
        #expect(log == ["first", "opening", "request"])
    }

    @Test func action_thatThrows_isShownUntilTheNextAction() async throws {
        struct Trouble: Error, CustomStringConvertible { let description = "trouble" }
        let screen = try show(Display.ContentScreen("A"), 1)
        screen.perform { throw Trouble() }
        while screen.isBusy { try await yieldUnlessCancelled() }
        guard case .error("trouble") = screen.page.elements.first else {
            Issue.record("\(screen.page.elements)")
            return
        }
        screen.perform { try await Task.sleep(for: .milliseconds(1)) }
        #expect(screen.page.elements.isEmpty)
        while screen.isBusy { try await yieldUnlessCancelled() }

        for change: any Error in [CancellationError(), UserDeclined()] {
            screen.perform { throw change }
            while screen.isBusy { try await yieldUnlessCancelled() }
            #expect(screen.page.elements.isEmpty)
        }
    }

    @Test func content_isAskedForOnlyAfterAChange() async throws {
        let model = Counter()
        var evaluations = 0
        let screen = try show(
            Display.ContentScreen {
                evaluations += 1
                return Display.Content(title: "\(model.value)", elements: [])
            }, 1)
        var changes = 0
        stack.onChange = { changes += 1 }
        #expect(screen.page.title == "0")
        #expect(screen.page.title == "0")
        #expect(evaluations == 1)
        model.value = 1
        while changes == 0 { try await yieldUnlessCancelled() }
        #expect(screen.page.title == "1")
        #expect(evaluations == 2)
    }
}

/// A screen that terminals do not know.
private struct Poster: Screen {}
