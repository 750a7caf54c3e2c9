import Foundation
import NotesInterface
import Observation
import RouterServiceInterface

/// What the list's view shows, and what the user can do there.
@MainActor
protocol NoteListPresenting: AnyObject, Sendable {
    /// How far what is shown can be relied on, in words; nil where there is nothing to say.
    var sign: String? { get }
    /// What went wrong and is not the answer to what the user did last.
    var problem: String? { get }
    /// Work that is going on, in words.
    var progress: String? { get }
    /// Whether signing in would help.
    var asksForSignIn: Bool { get }
    /// What can be undone, in words.
    var deletion: String? { get }
    /// What is searched for; nil where there is nothing to search.
    var query: String? { get }
    /// How many rows there are.
    var count: Int { get }
    /// The preview of the note that is looked at; nil until it is there.
    var preview: EmbeddedScreen? { get }

    /// Returns the note of a row.
    func id(at index: Int) -> UUID
    /// Returns a row at an index below ``count``.
    func row(at index: Int) -> NoteListRow

    /// Reads what was changed elsewhere, and puts the preview there.
    func appear() async throws
    /// Searches for a text.
    func search(_ query: String)
    /// Takes the note that is looked at.
    func focus(_ id: UUID)
    /// Lets the user change a note, or write a new one.
    func edit(_ id: UUID?) async throws
    /// Brings back what was deleted last.
    func undo() async throws
    /// Compares everything with the server.
    func synchronize()
    /// Lets the user sign in, and synchronises.
    func signIn() async throws
}

/// A row as it reads.
struct NoteListRow: Identifiable, Hashable {
    let id: UUID
    let title, detail: String
}

/// Turns notes into rows, and what the user does into what is done with notes.
@Observable
@MainActor
final class NoteListPresenter: NoteListPresenting {
    private(set) var preview: EmbeddedScreen?
    /// What kept the last request of the preview from being followed.
    private var failure: String?
    /// What was typed to be searched for.
    private var typedQuery = ""
    /// Whether something is done that the preview asked for.
    private var isFollowing = false
    /// How many times it waits for the synchroniser.
    private var refreshes = 0
    @ObservationIgnored private var isEmbedding = false
    /// What is found, for as long as neither the notes nor the query change.
    @ObservationIgnored private var found: (revision: Int, query: String, entries: [Notes.Entry])?
    @ObservationIgnored private var noteSearch = NoteSearch()
    private let interactor: any NoteListInteracting
    private let wireframe: any NoteListWireframe

    init(interactor: any NoteListInteracting, wireframe: any NoteListWireframe) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    var sign: String? {
        let signs = [interactor.damage, syncSign].compactMap { $0 }
        return signs.isEmpty ? nil : signs.joined(separator: "\n")
    }

    private var syncSign: String? {
        switch interactor.syncState {
        case .idle, .running, .failed: nil
        case .offline(let reason): "Offline. \(reason) \(storedHere)"
        case .signedOut: "You are not signed in. \(storedHere)"
        }
    }

    private var storedHere: String {
        switch interactor.unsentCount {
        case 0: "What you see is stored here."
        case 1: "What you see is stored here; one change is sent later."
        case let count: "What you see is stored here; \(count) changes are sent later."
        }
    }

    var problem: String? {
        if case .failed(let reason) = interactor.syncState { failure ?? reason } else { failure }
    }

    var progress: String? {
        if isFollowing { return "One moment" }
        return refreshes > 0 || interactor.syncState == .running ? "Synchronising" : nil
    }

    var asksForSignIn: Bool { interactor.syncState == .signedOut }

    var deletion: String? { interactor.deletedTitle.map { "'\($0)' was deleted." } }

    var query: String? { typedQuery.isEmpty && interactor.entries.isEmpty ? nil : typedQuery }

    var count: Int { entries.count }

    func id(at index: Int) -> UUID { entries[index].id }

    func row(at index: Int) -> NoteListRow {
        let (note, status) = (entries[index].note, entries[index].status)
        let firstLine = note.text.prefix(60).prefix { !$0.isNewline }
        let day = note.changed.formatted(.iso8601.year().month().day())
        let mark: String? =
            switch status {
            case .sent: nil
            case .unsent: "not sent"
            case .conflict: "changed elsewhere"
            }
        let parts = [firstLine.isEmpty ? nil : String(firstLine), day, mark]
        return NoteListRow(
            id: note.id, title: note.title, detail: parts.compactMap { $0 }.joined(separator: " · "))
    }

    func appear() async throws {
        refresh(all: false)
        keepFocus()
        guard preview == nil, !isEmbedding else { return }
        isEmbedding = true
        defer { isEmbedding = false }
        preview = try await wireframe.embedPreview { [weak self] request in self?.follow(request) }
    }

    func search(_ query: String) {
        typedQuery = query
        keepFocus()
    }

    func focus(_ id: UUID) { interactor.focus = id }

    func edit(_ id: UUID?) async throws {
        failure = nil
        interactor.focus = try await wireframe.edit(id).id
        try await appear()
    }

    func undo() async throws {
        try await interactor.undoDeletion()
        keepFocus()
    }

    func synchronize() {
        failure = nil
        refresh(all: true)
    }

    func signIn() async throws {
        try await wireframe.signIn(as: interactor.author)
        try await appear()
    }

    /// What is found, searched for once after each change: the content is asked for more often.
    private var entries: [Notes.Entry] {
        let revision = interactor.revision
        if let found, found.revision == revision, found.query == typedQuery { return found.entries }
        let entries = noteSearch.entries(matching: typedQuery, among: interactor.entries)
        found = (revision, typedQuery, entries)
        return entries
    }

    /// Synchronises while the list can be used; there may be a first note to look at afterwards.
    private func refresh(all: Bool) {
        refreshes += 1
        Task { [weak self, interactor] in
            await interactor.synchronize(all: all)
            self?.keepFocus()
            self?.refreshes -= 1
        }
    }

    /// Looks at the first note where the one that was looked at is not among the rows.
    private func keepFocus() {
        if let id = interactor.focus, entries.contains(where: { $0.id == id }) { return }
        interactor.focus = entries.first?.id
    }

    /// Does what the preview finished with; it is not there any more.
    private func follow(_ request: Notes.Preview.Output) {
        (preview, failure, isFollowing) = (nil, nil, true)
        Task {
            defer { isFollowing = false }
            do {
                switch request {
                case .edit(let id): try await edit(id)
                case .delete(let id):
                    try await interactor.delete(id)
                    try await appear()
                }
            } catch is CancellationError {
            } catch {
                failure = error.localizedDescription
            }
        }
    }
}

// What is searched for outlives an exchange of the module.
extension NoteListPresenter: Restorable {
    struct SavedState: Codable {
        let query: String
    }

    static var stateScope: StateScope { .memory }

    var savedState: SavedState? { typedQuery.isEmpty ? nil : SavedState(query: typedQuery) }

    func restore(_ state: SavedState) { typedQuery = state.query }
}
