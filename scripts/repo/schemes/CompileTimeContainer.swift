// Mistakes that the compiler rejects where each scope conforms to what those within it need: hand-written as in RIBs, or
// generated as Needle does.

protocol Store: AnyObject {}
protocol Clock: AnyObject {}

final class MemoryStore: Store {}

protocol NotesDependency {
    var store: any Store { get }
    var clock: any Clock { get }  // expected-note {{protocol requires property}}
}

final class NotesScope {
    let dependency: any NotesDependency

    init(dependency: any NotesDependency) { self.dependency = dependency }
}

// The clock is missing, and the program is not built.
// expected-error@+2 {{type 'RootScope' does not conform to protocol 'NotesDependency'}}
// expected-note@+1 {{add stubs for conformance}}
final class RootScope: NotesDependency {
    let store: any Store = MemoryStore()

    var notes: NotesScope { NotesScope(dependency: self) }
}
