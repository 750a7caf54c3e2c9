// Mistakes that the compiler rejects, and accepts, where each module declares a protocol for where it wants to go.

protocol Screen {}

protocol NotesRouting: AnyObject {
    func editNote(_ id: Int, then finish: @escaping (String) -> Void)
}

final class NotesModel {
    let router: any NotesRouting

    init(router: any NotesRouting) { self.router = router }

    // snippet: caller
    func edit() {
        router.editNote("one") { _ in }  // expected-error {{cannot convert value}}
        router.editNote(1) { (text: Int) in }  // expected-error {{cannot convert value}}
        router.editNote(1) { _ in }
    }
    // snippet: end
}

// snippet: forgotten
// The wiring compiles although nobody is ever called back, also when the person goes back.
final class AppRouter: NotesRouting {
    func editNote(_ id: Int, then finish: @escaping (String) -> Void) {}
}
// snippet: end
