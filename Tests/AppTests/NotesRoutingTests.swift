import DisplayInterface
import DisplayTesting
import Foundation
import HomeInterface
import LoginInterface
import NotesInterface
import ProfileInterface
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@testable import App

/// Notes in the App's own router, with screens on which a test acts.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NotesRoutingTests {
    private let presenter = HeadlessPresenter()
    private let terminal = FakeTerminal()
    private let data = DataFolder()
    private var modules: [any Module] { App.modules(backend: nil, dataPath: data.path) }

    /// A router that shows the first screen to ann, who is signed in.
    private func started() async throws -> RouterService {
        let router = RouterService(modules: modules + [HeadlessModule(presenter, terminal: terminal)])
        try await router.start(with: Home.Overview())
        _ = try await router.resolve((any Login.Sessions).self).signIn(userName: "ann", password: "secret")
        return router
    }

    /// Writes a note as a user does.
    private func write(_ title: String, with router: RouterService) async throws -> Notes.Note {
        let note = Task { try await router.result(of: Notes.Editor()) }
        while presenter.path.last != "New note" { await Task.yield() }
        try presenter.content?.type(title, into: "Title")
        try await presenter.content?.press("Save")
        return try await note.value
    }

    /// A router that shows the list of ann, and the note in it.
    private func startedWithTea() async throws -> (RouterService, Notes.Note) {
        let router = try await started()
        try await router.open(Notes.List())
        return (router, try await write("Tea", with: router))
    }

    /// The titles of the notes in the list on top.
    private var titles: [String] {
        (presenter.content?.choices ?? []).filter { !["New note", "Synchronise"].contains($0) }
    }

    @Test func link_opensTheListAndTheEditorAboveIt_andTheListIsReachedFromAnyDepth() async throws {
        let (router, note) = try await startedWithTea()
        try await router.dismiss(to: Home.Overview.self)
        let url = try #require(URL(string: "app://notes/\(note.id)/edit"))
        try await router.open(router.catalog.route(for: url))
        #expect(presenter.path == ["Home", "Notes", "Edit note"])
        #expect(try presenter.content?.value(of: "Title") == "Tea")
        try await router.open([Profile.Overview(user: "bob"), Notes.Editor()])
        try await presenter.content?.press("All notes")
        #expect(presenter.path == ["Home", "Notes"])
        #expect(try router.catalog.url(for: Notes.Editor()).absoluteString == "app://notes/new")
    }

    @Test func halfTypedNote_outlivesAReplacementOfTheModule() async throws {
        let (router, note) = try await startedWithTea()
        try await router.open(Notes.Editor(id: note.id))
        try presenter.content?.type("Black tea", into: "Title")
        try await router.replace(modules.filter { "\(type(of: $0))" == "NotesModule" })
        #expect(try presenter.content?.value(of: "Title") == "Black tea")
        try await presenter.content?.press("Save")
        #expect(titles == ["Black tea"])
    }

    @Test(arguments: [true, false])
    func signOut_isAskedAbout_endsTheSession_andLeavesNothing(answer: Bool) async throws {
        let (router, _) = try await startedWithTea()
        // Until the note is sent.
        while presenter.content?.progress.isEmpty != true { await Task.yield() }
        try await router.open(Notes.Editor())
        try presenter.content?.type("Milk", into: "Title")
        terminal.answer = answer
        if answer {
            try await router.open(Login.SignOut())
            #expect(throws: RouterError.self) { try router.leave(Notes.session) }
            _ = try await router.resolve((any Login.Sessions).self).signIn(
                userName: "ann", password: "secret")
            try await router.open([Profile.Overview(), Notes.List()])
            #expect(titles.isEmpty, "what was here is removed; the server is asked when the list appears")
        } else {
            await #expect(throws: UserDeclined.self) { try await router.open(Login.SignOut()) }
            #expect(try presenter.content?.value(of: "Title") == "Milk")
        }
        #expect(terminal.questions.count == 1)
    }

    @Test(arguments: [true, false])
    func signOut_byALink_isAskedAbout(answer: Bool) async throws {
        let router = try await started()
        terminal.answer = answer
        let sessions = try router.resolve((any Login.Sessions).self)
        if answer {
            try await router.open(AnyRoute(Login.SignOut()))
        } else {
            await #expect(throws: UserDeclined.self) {
                try await router.open(AnyRoute(Login.SignOut()))
            }
            let link = try router.catalog.route(for: #require(URL(string: "app://sign-out")))
            await #expect(throws: CallRefused.self) { try await router.open(link) }
        }
        #expect((sessions.current == nil) == answer)
        let question = "A link from outside leads to app://sign-out. Open it?"
        #expect(terminal.questions == Array(repeating: question, count: answer ? 1 : 2))
    }

    @Test(arguments: [PresentationStyle.push, .root])
    func listOfAnotherUser_isReplacedInItsPlace(style: PresentationStyle) async throws {
        let router = try await started()
        try await router.open(Notes.List(), as: style)
        _ = try await write("Tea", with: router)
        let path = presenter.path
        _ = try await router.resolve((any Login.Sessions).self).signIn(userName: "bob", password: "secret")
        #expect(presenter.content?.choices == ["Open your notes"])
        try await presenter.content?.press("Open your notes")
        #expect(titles.isEmpty)
        #expect(presenter.content?.choices.first == "New note")
        #expect(presenter.path == path)
        #expect(presenter.styles.last == style)
    }
}

/// Replaces the presenter and the terminal by ones without a user.
struct HeadlessModule: Module {
    let presenter: HeadlessPresenter
    let terminal: FakeTerminal

    @MainActor
    init(_ presenter: HeadlessPresenter = HeadlessPresenter(), terminal: FakeTerminal = FakeTerminal()) {
        self.presenter = presenter
        self.terminal = terminal
    }

    func register(in registrar: Registrar) {
        registrar.override((any Presenter).self) { presenter }
        registrar.override((any Display.Terminal).self) { terminal }
        registrar.override((any Display.Dialog).self) { terminal }
    }
}

extension HeadlessPresenter {
    /// The content of the topmost screen; nil if nothing is shown.
    var content: Display.Content? { try? top?.contentScreen().content() }
    var path: [String] { stack.compactMap { try? $0.screen.contentScreen().content().title } }
}
