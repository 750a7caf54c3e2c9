import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting

/// A router, its screens, and every caller that ever waited for a result, driven by a seed.
@MainActor
final class RandomSequence {
    /// A caller that waits for a result.
    @MainActor
    final class Wait {
        let number: Int
        var task: Task<Void, Never>?
        private(set) var outcomes: [Result<Int, any Error>] = []

        init(_ number: Int) {
            self.number = number
        }

        func end(with outcome: Result<Int, any Error>) {
            outcomes.append(outcome)
        }
    }

    /// A stop that was to be embedded.
    @MainActor
    final class Embedding {
        let number: Int
        var embedded: EmbeddedScreen?

        init(_ number: Int) {
            self.number = number
        }
    }

    let presenter = HeadlessPresenter()
    private(set) var router: RouterService
    private(set) var waits: [Wait] = []
    private(set) var embeddings: [Embedding] = []
    private(set) var steps: [String] = []
    private var random: SplitMix64
    private var contexts: Contexts
    private var presentations: [Presentation] = []
    private var snapshots: [RouterSnapshot] = []
    /// How often the text of each screen was edited since the sequence began or the screen was restored.
    private(set) var edits: [Presentation.ID: Int] = [:]
    private var numbers = 0
    /// The number of openings that have not returned.
    private var running = 0

    /// The context of each screen that was ever built.
    @MainActor
    private final class Contexts {
        var all: [any RouteContext<RandomStop>] = []
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let contexts = Contexts()
        self.contexts = contexts
        router = RouterService(modules: [
            TestModule { [presenter] in $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            },
            RandomModule { contexts.all.append($0) },
        ])
    }

    /// Starts the router, sometimes behind a guard.
    func start() async {
        let stop = stop(randomly(0.2) ? .guarded : .plain)
        note("start \(stop)")
        let start = Task { try? await router.start(with: stop) }
        await eventually { !presenter.stack.isEmpty }
        if stop.conduct == .guarded {
            if randomly(0.5) {
                try? contexts.all.last?.finish(1)
            } else {
                try? await contexts.all.last?.dismiss()
            }
        }
        await start.value
        if presenter.stack.isEmpty { try? await router.start(with: self.stop(.plain)) }
    }

    /// Performs a random step; does not wait for its effects.
    func step() {
        presentations += presenter.stack.map(\.presentation).filter { new in
            !presentations.contains { $0.id == new.id }
        }
        switch Int.random(in: 0..<29, using: &random) {
        case 0...2: open()
        case 3...6: ask()
        case 7: openStack()
        case 8...10: finish()
        case 11: goBack()
        case 12: close()
        case 13: dismiss()
        case 14: dismissTo()
        case 15, 16: cancel()
        case 17: lose()
        case 18: refuse()
        case 19: confirmLeaving()
        case 20: replaceModule()
        case 21, 22: edit()
        case 23, 24: embed()
        case 25: endEmbedded()
        case 26, 27: replaceScreen()
        default: remember()
        }
    }

    /// Ends all waits, by opening a new first screen.
    func end() async {
        presenter.refusal = nil
        let last = stop(.plain)
        note("end with \(last)")
        // Openings that were still being decided may come above it, so that it is opened again.
        for _ in 0..<200 {
            for context in contexts.all { try? context.confirmLeaving(nil) }
            try? await router.open(last, as: .root)
            await settled()
            if running == 0 { break }
        }
        try? await router.open(last, as: .root)
    }

    /// A number between 0 and 1 that is below another one.
    func randomly(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private func note(_ step: String) {
        steps.append(step)
    }

    @discardableResult
    private func run(_ opening: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        running += 1
        return Task {
            await opening()
            running -= 1
        }
    }
}

// The steps.
extension RandomSequence {
    private func open() {
        let (stop, style, opener) = (stop(), style(), opener())
        note("open \(stop) as \(style)")
        run { try? await opener.open(stop, style) }
    }

    private func ask() {
        let (stop, style, opener) = (stop(), style(), opener())
        note("ask \(stop) as \(style)")
        let wait = Wait(stop.number)
        waits.append(wait)
        wait.task = run {
            do {
                wait.end(with: .success(try await opener.result(stop, style)))
            } catch {
                wait.end(with: .failure(error))
            }
        }
    }

    private func embed() {
        guard let context = contexts.all.randomElement(using: &random) else { return }
        let stop = stop()
        note("embed \(stop)")
        let embedding = Embedding(stop.number)
        embeddings.append(embedding)
        run { embedding.embedded = try? await context.embed(stop) }
    }

    private func endEmbedded() {
        guard let embedding = embeddings.randomElement(using: &random) else { return }
        if randomly(0.5), let screen = embedding.embedded?.screen as? RandomScreen {
            note("finish \(screen.route), which is embedded")
            try? screen.context.finish(abs(screen.route.number))
        } else {
            note("let go of \(embedding.number), which is embedded")
            embedding.embedded = nil
        }
    }

    private func openStack() {
        var stack: [any Route] = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            stop(randomly(0.7) ? .plain : conduct())
        }
        if randomly(0.3) { stack.append(RandomErrand(number: 0)) }
        stack.shuffle(using: &random)
        let style = style()
        note("stack \(stack) as \(style)")
        run { [router, stack] in try? await router.open(stack, as: style) }
    }

    private func finish() {
        guard let screen = randomScreen() else { return }
        note("finish \(screen.route)")
        try? screen.context.finish(abs(screen.route.number))
        if randomly(0.3) {
            note("finish again")
            try? screen.context.finish(abs(screen.route.number))
        }
    }

    private func goBack() {
        note("go back")
        run { [presenter] in await presenter.goBack() }
    }

    private func close() {
        note("close any")
        let presentation = presentations.randomElement(using: &random)
        run { await presentation?.close() }
    }

    private func dismiss() {
        note("dismiss any")
        let context = contexts.all.randomElement(using: &random)
        run { try? await context?.dismiss() }
    }

    private func replaceScreen() {
        guard let context = contexts.all.randomElement(using: &random) else { return }
        let stop = stop()
        note("replace any with \(stop)")
        run { try? await context.replace(with: stop) }
    }

    private func dismissTo() {
        guard let context = contexts.all.randomElement(using: &random) else { return }
        if randomly(0.5), let route = randomScreen()?.route {
            note("dismiss to a screen like \(route)")
            run { try? await context.dismiss(to: type(of: route)) }
        } else {
            note("dismiss to a stop")
            run { try? await context.dismiss(to: RandomStop.self) }
        }
    }

    private func cancel() {
        guard let wait = waits.randomElement(using: &random) else { return }
        note("cancel \(wait.number)")
        wait.task?.cancel()
    }

    private func lose() {
        // The first screen stays; a presenter that loses it shows nothing.
        guard presenter.stack.count > 1 else { return }
        note("lose")
        presentations.removeAll { $0.id == presenter.stack.last?.presentation.id }
        presenter.lose()
    }

    private func refuse() {
        note(presenter.refusal == nil ? "refuse" : "refuse no longer")
        presenter.refusal = presenter.refusal == nil ? Shop.Failure() : nil
    }

    /// Makes a screen ask before it is left, and answers at random, after a while.
    private func confirmLeaving() {
        let (context, mayLeave) = (contexts.all.randomElement(using: &random), randomly(0.5))
        note("ask before leaving, and \(mayLeave ? "leave" : "stay")")
        try? context?.confirmLeaving {
            await settled(rounds: 2)
            return mayLeave
        }
    }

    private func edit() {
        guard let entry = presenter.stack.randomElement(using: &random),
            let model = (entry.screen as? RandomScreen)?.model
        else { return }
        model.edits += 1
        note("edit \(model.number)")
        edits[entry.presentation.id] = model.edits
    }

    private func replaceModule() {
        note("replace the module")
        let contexts = contexts
        run { [router] in try? await router.replace([RandomModule { contexts.all.append($0) }]) }
    }

    private func remember() {
        if randomly(0.5) {
            note("remember")
            snapshots.append(router.snapshot(including: .file))
        } else if let snapshot = snapshots.randomElement(using: &random) {
            note("restore \(snapshot.entries.map(\.route))")
            run { [router] in try? await router.restore(snapshot) }
        }
    }
}

// The choices of the steps.
extension RandomSequence {
    /// The opener of a route: the router, or any screen that ever existed.
    private struct Opener {
        let open: @MainActor (RandomStop, PresentationStyle) async throws -> Void
        let result: @MainActor (RandomStop, PresentationStyle) async throws -> Int
    }

    private func opener() -> Opener {
        let router = router
        guard randomly(0.6), let context = contexts.all.randomElement(using: &random) else {
            return Opener {
                try await router.open($0, as: $1)
            } result: {
                try await router.result(of: $0, as: $1)
            }
        }
        return Opener {
            try await context.open($0, as: $1)
        } result: {
            try await context.result(of: $0, as: $1)
        }
    }

    private func stop(_ conduct: RandomStop.Conduct? = nil) -> RandomStop {
        numbers += 1
        return RandomStop(number: numbers, conduct: conduct ?? self.conduct())
    }

    private func conduct() -> RandomStop.Conduct {
        randomly(0.4) ? .plain : RandomStop.Conduct.allCases.randomElement(using: &random) ?? .plain
    }

    private func style() -> PresentationStyle {
        let styles: [PresentationStyle] = [.push, .push, .modal, .modal, .root, .embedded]
        return styles.randomElement(using: &random) ?? .push
    }

    private func randomScreen() -> RandomScreen? {
        presenter.stack.randomElement(using: &random)?.screen as? RandomScreen
    }
}
