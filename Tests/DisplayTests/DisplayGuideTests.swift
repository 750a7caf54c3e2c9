import DisplayInterface
import DisplayTesting
import Observation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import DisplayImplementation

/// The code of the module's README, compiled and run, and what it links to.
@MainActor
struct DisplayGuideTests {
    @Test func content_followsTheModelAndChangesIt() async throws {
        let model = GreetingModel()
        let screen = Display.ContentScreen.greeting(model)
        try await screen.appears()
        #expect(screen.content().texts == ["Hello, Ann!"])
        try screen.content().type("Anna", into: "Name")
        try await screen.content().press("Save")
        #expect(screen.content().texts == ["Hello, Anna!"])
    }

    @Test func list_asksForTheRowsThatAreSeen() async throws {
        let archive = Archive(notes: (0..<100_000).map { Note(id: $0, title: "Note \($0)") })
        let content = Display.Content(title: "Archive", elements: [archive.list])
        try await content.press("Note 99999")
        #expect(archive.opened == 99_999)
    }

    @Test func detail_isEmbeddedOnce_andFollowsTheFocus() async throws {
        let recorder = RecordingContext<NoteRoute>()
        recorder.child = Display.ContentScreen { Display.Content(title: "", elements: [.text("Preview")]) }
        let list = NoteList(notes: [Note(id: 1, title: "Note 1")], context: recorder.context)
        try await list.screen.appears()
        try await list.screen.appears()
        #expect(recorder.embedded == [AnyRoute(NoteRoute())])
        let content = list.screen.content()
        #expect(content.texts == ["Preview"] && content.choices == ["Note 1"])
        guard case .list(let rows) = content.elements[0] else { return }
        rows.row(0).onFocus?()
        #expect(list.focused?.id == 1)
        recorder.finishChildren(with: "Note 1")
        #expect(list.screen.content().texts.isEmpty && list.opened == "Note 1")
        try await list.screen.content().press("Note 1")
    }

    @Test func textArea_isTypedInto() throws {
        let draft = Draft(dialog: FakeTerminal())
        let content = Display.Content(title: "Note", elements: [draft.field])
        try content.type("one\ntwo", into: "Text")
        #expect(draft.text == "one\ntwo")
    }

    @Test func unsavedText_isAskedFor_andSavingIsSaid() async throws {
        let terminal = FakeTerminal()
        let draft = Draft(dialog: terminal)
        #expect(await draft.mayBeLeft() && terminal.questions.isEmpty)
        draft.text = "typed"
        terminal.answer = false
        #expect(await !draft.mayBeLeft())
        #expect(terminal.questions == ["Discard what you typed?"])
        draft.save()
        #expect(terminal.notices == ["Saved"])
    }

    @Test func status_isRegisteredAsAnAdapterOfTheApp() throws {
        let account = StoredAccount()
        let accounts = TestModule { $0.register((any Account).self, lifetime: .singleton) { account } }
        let recorded = RecordedModules(accounts, StatusModule())
        let status = try recorded.resolve((any Display.Status).self)
        #expect(status.text == nil)
        account.name = "ann"
        #expect(status.text == "Signed in as ann")
    }
}

@MainActor
@Observable
private final class GreetingModel {
    private(set) var greeting = ""
    var name = ""

    func load() async throws {
        name = "Ann"
        try await save()
    }

    func save() async throws {
        greeting = "Hello, \(name)!"
    }
}

extension Display.ContentScreen {
    fileprivate static func greeting(_ model: GreetingModel) -> Display.ContentScreen {
        // snippet: content
        Display.ContentScreen(appear: model.load) {
            Display.Content(
                title: "Profile",
                elements: [
                    .text(model.greeting),
                    .field(Display.Field("Name", text: model.name) { model.name = $0 }),
                    .button(Display.Button("Save", action: model.save)),
                ])
        }
        // snippet: end
    }
}

private struct Note: Identifiable {
    let id: Int
    let title: String
}

@MainActor
private final class Archive {
    let notes: [Note]
    private(set) var opened: Int?

    init(notes: [Note]) { self.notes = notes }

    func open(_ note: Note) { opened = note.id }

    var list: Display.Element {
        .list(Display.List(notes) { note in Display.Row(note.title) { self.open(note) } })
    }
}

/// Leads to the preview of a note; finishes with the title of a note to open.
private struct NoteRoute: Route {
    typealias Output = String
    static let identifier = "guide.note"
}

@MainActor
@Observable
private final class NoteList {
    let notes: [Note]
    private(set) var focused: Note?
    private(set) var opened: String?
    private var preview: EmbeddedScreen?
    private let context: RouteContext<NoteRoute>

    init(notes: [Note], context: RouteContext<NoteRoute>) { (self.notes, self.context) = (notes, context) }

    private func open(_ title: String) { opened = title }

    var screen: Display.ContentScreen {
        Display.ContentScreen(appear: embedPreview) { [self] in
            let list = Display.List(notes) { note in
                Display.Row(note.title, onFocus: { self.focused = note }) { self.open(note.title) }
            }
            return Display.Content(title: "Notes", elements: [.list(list)], detail: preview)
        }
    }

    private func embedPreview() async throws {
        guard preview == nil else { return }
        preview = try await context.embed(NoteRoute()) { [weak self] title in
            self?.preview = nil
            self?.open(title)
        }
    }
}

@MainActor
private final class Draft {
    var text = ""
    private let dialog: any Display.Dialog

    init(dialog: any Display.Dialog) { self.dialog = dialog }

    func save() { dialog.notify("Saved") }

    var field: Display.Element {
        .field(.textArea("Text", text: text) { self.text = $0 })
    }

    /// For `RouteContext.confirmLeaving`.
    func mayBeLeft() async -> Bool {
        text.isEmpty ? true : await dialog.confirm("Discard what you typed?")
    }
}

/// The interface of another module.
@MainActor
protocol Account: AnyObject {
    var name: String? { get }
}

@MainActor
@Observable
private final class StoredAccount: Account {
    var name: String?
}

@MainActor
final class AccountStatus: Display.Status {
    private let account: any Account

    init(_ account: any Account) {
        self.account = account
    }

    var text: String? { account.name.map { "Signed in as \($0)" } }
}

struct StatusModule: Module {
    func register(in registrar: Registrar) {
        registrar.register((any Display.Status).self) { (account: any Account) in AccountStatus(account) }
    }
}
