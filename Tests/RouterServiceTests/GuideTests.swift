import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// The statements about services and composing a program in the guide, Modules/RouterService/README.md.
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
        // snippet: program
        let router = RouterService(modules: [screen, AccountModule(), NotesModule()])
        let problems = router.validate()
        try await router.start(with: Notes.List())
        // snippet: end
        #expect(problems.isEmpty)
        #expect((presenter.top as? ButtonScreen)?.title == "Notes")
    }

    @Test func services_liveAsLongAsTheirLifetimeSays() throws {
        final class Cache {}
        final class Draft {}
        struct Stamp { let time = Date() }
        let router = RouterService(modules: [
            TestModule { registrar in
                registrar.register(Cache.self, by: Cache.init)  // while anybody holds it
                registrar.register((any Notes.Store).self, lifetime: .singleton, by: MemoryStore.init)
                registrar.register(Stamp.self, lifetime: .transient, by: Stamp.init)
                registrar.register(Draft.self, lifetime: .scope(Account.session), by: Draft.init)
            }
        ])
        #expect(throws: RouterError.self) { try router.resolve(Draft.self) }
        try router.enter(Account.session)
        weak let draft = try router.resolve(Draft.self)
        try router.leave(Account.session)
        #expect(draft == nil)
        #expect(try router.resolve((any Notes.Store).self) === router.resolve((any Notes.Store).self))
    }

    @Test func needs_mayBeOptionalOrDeferred() throws {
        class Analytics {}
        final class Inbox {
            let analytics: Analytics?
            init(analytics: Analytics?, outbox: Outbox) { self.analytics = analytics }
        }
        final class Outbox {
            let inbox: Deferred<Inbox>
            init(inbox: Deferred<Inbox>) { self.inbox = inbox }
        }
        let router = RouterService(modules: [
            TestModule {
                $0.register(Inbox.self, lifetime: .singleton, by: Inbox.init)
                $0.register(Outbox.self, lifetime: .singleton, by: Outbox.init)
            }
        ])
        #expect(try router.resolve(Inbox.self).analytics == nil)
        #expect(try router.resolve(Outbox.self).inbox.value === router.resolve(Inbox.self))
    }

    @Test func slowServices_areAwaitedBeforeTheFirstScreen() async throws {
        actor Archive {
            static func open(at path: URL) async throws -> Archive { Archive() }
        }
        let router = RouterService(modules: [
            screen, NotesModule(),
            TestModule { registrar in
                registrar.register(URL.self, lifetime: .singleton) { URL(filePath: "/tmp") }
                registrar.prepare(Archive.self) { (path: URL) in try await Archive.open(at: path) }
            },
        ])
        #expect(throws: RouterError.self) { try router.resolve(Archive.self) }
        try await router.start(with: Notes.List())
        _ = try router.resolve(Archive.self)
    }

    @Test func adapters_joinWhatOneModuleRequiresAndAnotherProvides() async throws {
        enum Reminders {
            protocol Titles { func title(of id: Int) -> String }
            struct PickNote: Route {
                typealias Output = Int
                static let identifier = "reminders.pick-note"
            }
        }
        @MainActor
        struct StoreTitles: Reminders.Titles {
            let store: any Notes.Store
            nonisolated func title(of id: Int) -> String { "Note \(id)" }
        }
        let adapters = TestModule { registrar in
            registrar.register((any Reminders.Titles).self, lifetime: .singleton) {
                (store: any Notes.Store) in
                StoreTitles(store: store)
            }
            registrar.adapt(
                Reminders.PickNote.self, to: Notes.Editor.self, route: { _ in Notes.Editor(id: 2) },
                output: { text in text.count })
        }
        let router = RouterService(modules: [screen, NotesModule(), adapters])
        try await router.start(with: Notes.List())
        let picked = Caller { try await router.result(of: Reminders.PickNote()) }
        while presenter.stack.count < 2 { await Task.yield() }
        try await (presenter.top as? ButtonScreen)?.press()
        #expect(try await picked.output == "Call Ann!".count)
        #expect(try router.resolve((any Reminders.Titles).self).title(of: 3) == "Note 3")
    }

    @Test func overrides_areForOneRouter() throws {
        let fake = MemoryStore()
        let overrides = TestModule { $0.replace((any Notes.Store).self) { fake } }
        let router = RouterService(modules: [NotesModule(), overrides])
        #expect(try router.resolve((any Notes.Store).self) === fake)
        #expect(try RouterService(modules: [NotesModule()]).resolve((any Notes.Store).self) !== fake)
    }

    @Test func validation_findsEverythingWithoutCreatingAnything() {
        final class Cache {}
        let router = RouterService(modules: [
            NotesModule(), TestModule { $0.register(Cache.self, by: Cache.init) },
        ])
        let problems = router.validate(declared: [Notes.List.self, Account.SignIn.self])
        for (problem, beginning) in zip(
            problems, ["Account.SignIn has no handler", "any Presenter is not registered"])
        {
            #expect("\(problem)".hasPrefix(beginning))
        }
        #expect(problems.map(\.isWarning) == [false, false, true])
    }

    @Test func feature_isTestedWithoutARouter() async throws {
        // snippet: testing
        let recorder = RecordingContext<Notes.Editor>()
        let screen = try NoteFeature(store: MemoryStore()).build(Notes.Editor(id: 1), in: recorder.context)
        try await (screen as? ButtonScreen)?.press()
        #expect(recorder.outputs == ["Buy tea!"])
        // snippet: end
    }
}
