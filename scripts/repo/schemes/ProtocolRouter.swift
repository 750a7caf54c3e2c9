// Mistakes that the compiler rejects, and accepts, where each module declares a protocol for where it wants to go.

protocol Screen {}

protocol NotesRouting: AnyObject {
    func editNote(_ id: Int, then finish: @escaping (String) -> Void)
}

final class NotesModel {
    let router: any NotesRouting

    init(router: any NotesRouting) { self.router = router }

    func edit() {
        router.editNote("one") { _ in }  // expected-error {{cannot convert value}}
        router.editNote(1) { (text: Int) in }  // expected-error {{cannot convert value}}
        router.editNote(1) { _ in }
    }
}

// The wiring compiles although no caller is ever called back, not even when the user goes back.
final class AppRouter: NotesRouting {
    func editNote(_ id: Int, then finish: @escaping (String) -> Void) {}
}
