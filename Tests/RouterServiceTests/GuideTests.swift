import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// A small program with the router, from its modules to a result.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct GuideTests {
    private let presenter = HeadlessPresenter()

    private var screen: any Module {
        let presenter = presenter
        return TestModule { $0.register((any Presenter).self, lifetime: .singleton) { presenter } }
    }

    @Test func program_isAListOfModules() async throws {
        let screen = screen
        let router = RouterService(modules: [screen, AccountModule(), NotesModule()])
        let problems = router.validate()
        try await router.start(with: Notes.List())
        #expect(problems.isEmpty)
        #expect((presenter.top as? ButtonScreen)?.title == "Notes")
    }

    @Test func result_comesBack() async throws {
        let router = RouterService(modules: [screen, NotesModule()])
        try await router.start(with: Notes.List())
        let text = Caller {
            let text = try await router.result(of: Notes.Editor(id: 1))
            return text
        }
        await eventually { presenter.stack.count == 2 }
        try await (presenter.top as? ButtonScreen)?.press()
        #expect(try await text.output == "Buy tea!")
    }

    @Test func feature_isTestedWithoutARouter() async throws {
        let recorder = RecordingContext<Notes.Editor>()
        let screen = try NoteFeature(store: MemoryStore()).build(Notes.Editor(id: 1), in: recorder.context)
        try await (screen as? ButtonScreen)?.press()
        #expect(recorder.outputs == ["Buy tea!"])
    }
}
