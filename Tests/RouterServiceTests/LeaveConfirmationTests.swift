import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// A screen asks before it is left: some ways of leaving wait for the answer, and others do not.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LeaveConfirmationTests {
    /// The answer of a screen, and the number of times that it was asked.
    @MainActor
    private final class Question {
        var mayLeave = true
        private(set) var count = 0
        let gate = Gate()

        func ask() async throws -> Bool {
            count += 1
            await gate.pass()
            return mayLeave
        }
    }

    /// A way of leaving a screen.
    enum Way: CaseIterable {
        case back, dismiss, dismissTo, routerDismissTo, replace, root, restore, backBelow
    }

    private let question = Question()

    /// Home, page 2, and an account that asks above it.
    private func asking() async throws -> (stage: Stage, account: any RouteContext<Shop.Account>) {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self)
            $0.probe(Shop.Help.self)
        }
        try await stage.router.open([Shop.Catalogue(page: 2), Shop.Account()])
        let context = try #require(stage.top(Shop.Account.self)).context
        try context.confirmLeaving(question.ask)
        return (stage, context)
    }

    private func leave(_ way: Way, _ stage: Stage, _ account: any RouteContext<Shop.Account>) async throws {
        switch way {
        case .back: await stage.presenter.goBack()
        case .dismiss: try await account.dismiss()
        case .dismissTo: try await account.dismiss(to: Shop.Catalogue.self)
        case .routerDismissTo: try await stage.router.dismiss(to: Shop.Catalogue.self)
        case .replace: try await account.replace(with: Shop.Help())
        case .root: try await stage.router.open(Shop.Help(), as: .root)
        case .restore:
            let entry = RouterSnapshot.Entry(route: AnyRoute(Shop.Help()), style: .root)
            try await stage.router.restore(RouterSnapshot(entries: [entry]))
        case .backBelow: await stage.presenter.stack[1].presentation.close()
        }
    }

    @Test func screen_whoseAskerWasCancelled_isNotAskedAgainWhileItsQuestionIsShown() async throws {
        let (stage, account) = try await asking()
        let first = Caller { try await account.dismiss() }
        await question.gate.arrival()
        first.task.cancel()
        await #expect(throws: CancellationError.self) { try await first.output }
        await #expect(throws: (any Error).self) { try await account.dismiss() }
        #expect(question.count == 1)
        question.gate.open()
        await settled()
        #expect(stage.shown?.count == 3, "nobody waits for the answer")
        try await account.dismiss()
        #expect(question.count == 2)
        #expect(stage.shown?.count == 2)
    }

    @Test(arguments: Way.allCases)
    func screen_isAskedAndLeft(way: Way) async throws {
        let (stage, account) = try await asking()
        let leaving = Caller { try await leave(way, stage, account) }
        await question.gate.arrival()
        #expect(stage.shown?.count == 3, "it stays while it is asked")
        question.gate.open()
        try await leaving.output
        #expect(stage.shown?.contains(AnyRoute(Shop.Account())) == false)
        #expect(question.count == 1)
        #expect(await failure { try account.finish("late") } == .screenDismissed)
    }

    @Test(arguments: Way.allCases)
    func screenThatIsToStay_keepsTheWholeStack(way: Way) async throws {
        let (stage, account) = try await asking()
        question.mayLeave = false
        question.gate.open()
        let before = stage.shown
        let outcome = await failure { try await leave(way, stage, account) }
        #expect(outcome == ([.back, .backBelow].contains(way) ? .none : .declined))
        #expect(stage.shown == before)
        try account.finish("done")
        #expect(stage.shown?.count == 2)
    }

    @Test func questionThatThrows_keepsTheScreenAndIsTheCallersError() async throws {
        let (stage, account) = try await asking()
        try account.confirmLeaving { throw Shop.Failure() }
        await #expect(throws: Shop.Failure.self) { try await account.dismiss() }
        await stage.presenter.goBack()
        #expect(stage.shown?.count == 3)
    }

    @Test func finishing_cancelling_andDropping_askNobody() async throws {
        for way in ["finish", "cancel", "drop"] {
            let stage = try await Stage.started { $0.probe(Shop.Account.self) }
            let result = Caller { try await stage.router.result(of: Shop.Account()) }
            do {
                let context = try await stage.arrival(at: Shop.Account.self).context
                try context.confirmLeaving(question.ask)
                if way == "finish" { try context.finish("done") }
            }
            if way == "cancel" { result.task.cancel() }
            if way == "drop" { stage.presenter.lose() }
            let outcome = await failure { try await result.output }
            #expect(outcome == ["finish": .none, "cancel": .cancellation, "drop": .declined][way])
            await eventually { stage.router.snapshot(including: .file).entries.count == 1 }
        }
        #expect(question.count == 0)
    }

    @Test func screensAreAsked_theTopmostFirst_andNoneAfterOneThatStays() async throws {
        let journal = Journal()
        let stage = try await Stage.started()
        for page in 2...4 {
            try await stage.router.open(Shop.Checkout(items: ["\(page)"]))
            try stage.top(Shop.Checkout.self)?.context.confirmLeaving {
                journal.note("\(page)")
                return page != 3
            }
        }
        #expect(
            await failure { try await stage.router.dismiss(to: Shop.Catalogue.self) } == .declined)
        #expect(journal.lines == ["4", "3"])
        #expect(stage.shown?.count == 4)
    }

    @Test func question_mayShowAScreenOfItsOwn() async throws {
        let (stage, account) = try await asking()
        try account.confirmLeaving { try await account.result(of: Shop.Help()) == "yes" }
        for answer in ["no", "yes"] {
            let leaving = Caller { await stage.presenter.stack[2].presentation.close() }
            try await stage.arrival(at: Shop.Help.self).context.finish(answer)
            try await leaving.output
        }
        #expect(stage.shown?.count == 2)
    }

    @Test func screenThatIsBeingAsked_rejectsOtherAttempts() async throws {
        let (stage, account) = try await asking()
        let leaving = Caller { try await account.dismiss() }
        await question.gate.arrival()
        #expect(await failure { try await account.dismiss() } == .declined)
        await stage.presenter.goBack()
        #expect(question.count == 1)
        #expect(stage.shown?.count == 3)
        question.gate.open()
        try await leaving.output
        #expect(stage.shown?.count == 2)
    }

    @Test func screenThatFinishesWhileItIsAsked_isGoneForWhoAsked() async throws {
        let (stage, account) = try await asking()
        let root = Caller { try await stage.router.open(Shop.Help(), as: .root) }
        await question.gate.arrival()
        try account.finish("done")
        question.gate.open()
        try await root.output
        #expect(stage.shown == [AnyRoute(Shop.Help())])
    }

    @Test func screensThatComeWhileOneIsAsked_areAskedToo_beforeANewFirstScreen() async throws {
        let (stage, account) = try await asking()
        let opening = Caller { try await stage.router.open(Shop.Catalogue(), as: .root) }
        await question.gate.arrival()
        try await stage.router.open(Shop.Help())
        var isAsked = false
        try stage.top(Shop.Help.self)?.context.confirmLeaving {
            isAsked = true
            return true
        }
        question.gate.open()
        try await opening.output
        #expect(isAsked)
        #expect(stage.shown?.count == 1)
        #expect(await failure { try account.confirmLeaving(nil) } == .screenDismissed)
    }

    @Test func screenThatAsksNoMore_isLeftAtOnce() async throws {
        let (stage, account) = try await asking()
        try account.confirmLeaving(nil)
        await stage.presenter.goBack()
        #expect(question.count == 0)
        #expect(stage.shown?.count == 2)
    }

    @Test func actionsOfAStackThatBeginsAnew_waitForTheAnswer() async throws {
        let journal = Journal()
        let stage = try await Stage.started { registrar in
            registrar.probe(Shop.Account.self)
            registrar.count { _ in journal.note("counted") }
        }
        try await stage.router.open(Shop.Account())
        try stage.top(Shop.Account.self)?.context.confirmLeaving { false }
        let routes: [any Route] = [Shop.Catalogue(page: 2), Shop.Count()]
        #expect(await failure { try await stage.router.open(routes, as: .root) } == .declined)
        #expect(journal.lines.isEmpty)
        #expect(stage.shown?.count == 2)
    }

    @Test(arguments: [Way.back, .dismiss, .dismissTo, .routerDismissTo, .backBelow])
    func screenThatIsOpenedWhileAnotherIsAsked_stays(way: Way) async throws {
        let (stage, account) = try await asking()
        let leaving = Caller { try await leave(way, stage, account) }
        await question.gate.arrival()
        try await stage.router.open(Shop.Help())
        question.gate.open()
        try await leaving.output
        let shown = try #require(stage.shown)
        #expect(shown.last == AnyRoute(Shop.Help()))
        #expect(!shown.contains(AnyRoute(Shop.Account())))
        #expect(stage.presenter.stack.count == shown.count)
        #expect(await failure { try account.finish("late") } == .screenDismissed)
    }
}
