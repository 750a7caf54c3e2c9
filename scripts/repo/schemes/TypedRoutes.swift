// Mistakes that the compiler rejects where routes, results and handlers are typed: this repository's scheme.
import RouterServiceInterface

enum Notes {
    struct List: Route {
        static let identifier = "notes.list"
    }

    struct Editor: Route {
        typealias Output = String
        static let identifier = "notes.editor"
        let id: Int
    }
}

struct NoteScreen: Screen {}

struct NoteFeature: Feature {
    func build(_ route: Notes.Editor, in context: any RouteContext<Notes.Editor>) throws -> any Screen {
        try context.finish(route.id)  // expected-error {{cannot convert value}}
        return NoteScreen()
    }
}

@MainActor
func edit(with router: any Router) async throws {
    try await router.open(Notes.Editor(id: "one"))  // expected-error {{cannot convert value}}
    try await router.open(Notes.Editor(number: 1))  // expected-error {{incorrect argument label}}
    try await router.open(Notes.Edit(id: 1))  // expected-error {{type 'Notes' has no member 'Edit'}}
    let _: Int = try await router.result(of: Notes.Editor(id: 1))  // expected-error {{cannot convert value}}
    let _: String = try await router.result(of: Notes.Editor(id: 1))
}

@MainActor
func register(in registrar: Registrar) {
    registrar.route(Notes.Editor.self, by: NoteFeature.init)
    // Also rejected, although the compiler has no message of its own for it.
    registrar.route(Notes.List.self, by: NoteFeature.init)  // expected-error {{failed to produce diagnostic}}
    let _: FeatureOption<Notes.List> = .fallback { _ in Notes.Editor(id: 1) }
    // An action and an adapter have no fallback.
    // expected-error@+1 {{Only a feature has a fallback}}
    let _: ActionOption<Notes.List> = .fallback { _ in Notes.Editor(id: 1) }
}
