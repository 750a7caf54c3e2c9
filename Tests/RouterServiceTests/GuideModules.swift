import Foundation
import RouterServiceImplementation
import RouterServiceInterface

// A small program: notes, and an account.

enum Notes {
    /// Leads to the list of notes; nothing comes back.
    struct List: Route {
        static let identifier = "notes.list"
        var tag: String?
    }

    /// Leads to the editor of one note; finishes with the text that was saved.
    struct Editor: Route {
        typealias Output = String
        static let identifier = "notes.editor"
        let id: Int
    }
}

extension Notes {
    @MainActor
    protocol Store: AnyObject {
        var texts: [Int: String] { get set }
    }

    struct Delete: Route {
        typealias Output = Int
        static let identifier = "notes.delete"
        let id: Int
    }
}

enum Account {
    struct SignIn: Route {
        typealias Output = String
        static let identifier = "account.sign-in"
    }
}

final class MemoryStore: Notes.Store {
    var texts = [1: "Buy tea", 2: "Call Ann"]
}

/// A screen with one button, whose action a test calls.
final class ButtonScreen: Screen {
    let title: String
    let press: @MainActor () async throws -> Void

    init(title: String, press: @escaping @MainActor () async throws -> Void = {}) {
        self.title = title
        self.press = press
    }
}

struct ListFeature: Feature {
    func build(_ route: Notes.List, in context: any RouteContext<Notes.List>) -> any Screen {
        ButtonScreen(title: "Notes")
    }
}

struct NoteFeature: Feature {
    @Dependency var store: any Notes.Store

    func build(_ route: Notes.Editor, in context: any RouteContext<Notes.Editor>) throws -> any Screen {
        let text = store.texts[route.id] ?? ""
        return ButtonScreen(title: text) { try context.finish(text + "!") }
    }
}

struct SignInFormFeature: Feature {
    func build(_ route: Account.SignIn, in context: any RouteContext<Account.SignIn>) -> any Screen {
        ButtonScreen(title: "Sign in") { try context.finish("ann") }
    }
}

struct NotesModule: Module {
    func register(in registrar: Registrar) {
        registrar.register((any Notes.Store).self, lifetime: .singleton, by: MemoryStore.init)
        registrar.route(Notes.List.self, .url("app://notes?tag"), by: ListFeature.init)
        registrar.route(
            Notes.Editor.self, .url("app://notes/:id"), .alias("notes.edit"), by: NoteFeature.init)
        registrar.action(Notes.Delete.self, .url("app://notes/:id/delete"), by: DeleteAction.init)
    }
}

struct DeleteAction: Action {
    @Dependency var store: any Notes.Store

    func perform(_ route: Notes.Delete) -> Int {
        store.texts[route.id] = nil
        return store.texts.count
    }
}

struct AccountModule: Module {
    func register(in registrar: Registrar) {
        registrar.route(Account.SignIn.self, by: SignInFormFeature.init)
    }
}
