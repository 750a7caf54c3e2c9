import DisplayInterface
import Foundation
import NotesInterface
import Observation
import RouterServiceInterface

/// The state of the list's view, and the user's actions there.
@MainActor
protocol NoteListPresenting: AnyObject, Sendable {
    /// A remark that the server cannot be asked; nil if it can.
    var offline: String? { get }
    /// The reason why the notes could not be synchronised.
    var problem: String? { get }
    var progress: String? { get }
    var asksForSignIn: Bool { get }
    /// The reason why the notes are not shown; nil if they are.
    var closed: String? { get }
    /// A remark that there is no note; nil if there is one, or if it is not known.
    var empty: String? { get }
    /// A question about notes that the server does not know.
    var question: String? { get }
    /// The searched text; nil if there is nothing to search.
    var query: String? { get }
    var rows: [NoteListRow] { get }
    /// The embedded preview; nil until it exists.
    var preview: EmbeddedScreen? { get }

    /// Reads changes made elsewhere, and embeds the preview.
    func appear() async throws
    func search(_ query: String)
    func focus(_ id: UUID)
    /// Lets the user change a note; nil for a new note.
    func edit(_ id: UUID?) async throws
    func synchronize()
    func signIn() async throws
    func decide(_ decision: Notes.Decision) async throws
    /// Shows the notes of the user who is signed in, in place of these notes.
    func reopen() async throws
}

/// A note with the texts of its row, which are made when the row is shown.
struct NoteListRow: Identifiable {
    let listed: Notes.ListedNote

    var id: UUID { listed.id }

    var title: String { listed.title.isEmpty ? "(no title)" : listed.title }

    /// The beginning of the first line.
    var detail: String? {
        let firstLine = listed.text.prefix(60).prefix { !$0.isNewline }
        return firstLine.isEmpty ? nil : String(firstLine)
    }

    var facts: [Display.Fact] {
        let isNew = listed.status == .draft
        let mark: Display.Fact? =
            switch listed.status {
            case .sent, .draft: nil
            case .unsent: Display.Fact("not sent yet", .accent)
            case .conflict: Display.Fact("conflict", .warning)
            }
        let draft = isNew || listed.draft != nil ? Display.Fact("draft", .positive) : nil
        let day = listed.note.changed.formatted(.iso8601.year().month().day())
        return [mark, draft, isNew ? nil : Display.Fact(day)].compactMap { $0 }
    }
}

/// The note in focus of the list, which the preview shows.
@Observable
@MainActor
final class NoteSelection {
    var id: UUID?
}

/// Turns notes into rows, and the user's actions into operations on notes.
@Observable
@MainActor
final class NoteListPresenter: NoteListPresenting {
    private(set) var preview: EmbeddedScreen?
    private var typedQuery = ""
    /// The number of pending waits for the synchroniser.
    private var refreshes = 0
    @ObservationIgnored private var isEmbedding = false
    /// The notes found, valid until the notes or the query change: the content is requested more often.
    @ObservationIgnored private var found: (revision: Int, query: String, rows: [NoteListRow])?
    private let interactor: any NoteListInteracting
    private let wireframe: any NoteListWireframe
    private let selection: NoteSelection
    private let dialog: any Display.Dialog

    init(
        interactor: any NoteListInteracting, wireframe: any NoteListWireframe, selection: NoteSelection,
        dialog: any Display.Dialog
    ) {
        self.interactor = interactor
        self.wireframe = wireframe
        self.selection = selection
        self.dialog = dialog
    }

    var offline: String? {
        switch interactor.syncState {
        case .idle, .running, .failed, .otherServer: nil
        case .offline(let reason): "Offline. \(reason) \(storedHere)"
        case .signedOut: "You are not signed in. These are the notes of \(interactor.author). \(storedHere)"
        }
    }

    private var storedHere: String {
        switch interactor.unsentCount {
        case 0 where !interactor.isKnown: "Your notes on the server are not known here yet."
        case 0: "What you see is stored here."
        case 1: "What you see is stored here; one change is sent later."
        case let count: "What you see is stored here; \(count) changes are sent later."
        }
    }

    var problem: String? {
        if let problem = interactor.draftProblem { return problem }
        return if case .failed(let reason) = interactor.syncState { reason } else { nil }
    }

    var progress: String? {
        refreshes > 0 || interactor.syncState == .running ? "Synchronising" : nil
    }

    var asksForSignIn: Bool { interactor.syncState == .signedOut && interactor.closed == nil }

    var closed: String? { interactor.closed }

    var empty: String? {
        let isEmpty = interactor.isKnown && query == nil
        return isEmpty ? "No notes yet. Enter on New note writes one." : nil
    }

    var question: String? {
        guard case .otherServer(let count) = interactor.syncState else { return nil }
        return
            "This server does not know \(count == 1 ? "one note that is" : "\(count) notes that are") stored here."
    }

    var query: String? { typedQuery.isEmpty && interactor.notes.isEmpty ? nil : typedQuery }

    var rows: [NoteListRow] {
        let revision = interactor.revision
        if let found, found.revision == revision, found.query == typedQuery { return found.rows }
        let words = typedQuery.lowercased().split(whereSeparator: \.isWhitespace)
        let rows = interactor.notes.filter { listed in
            if words.isEmpty { return true }
            let text = "\(listed.title)\n\(listed.text)".lowercased()
            return words.allSatisfy { text.contains($0) }
        }.map(NoteListRow.init)
        found = (revision, typedQuery, rows)
        return rows
    }

    func appear() async throws {
        guard interactor.closed == nil else { return }
        refresh(all: false)
        keepFocus()
        guard preview == nil, !isEmbedding else { return }
        isEmbedding = true
        defer { isEmbedding = false }
        preview = try await wireframe.embedPreview()
    }

    func search(_ query: String) {
        typedQuery = query
        keepFocus()
    }

    func focus(_ id: UUID) { if selection.id != id { selection.id = id } }

    func edit(_ id: UUID?) async throws {
        do {
            selection.id = try await wireframe.edit(id).id
        } catch let declined as UserDeclined {
            // A new note that the user has left is the first draft.
            let draft = interactor.notes.first { $0.status == .draft }
            if id == nil, let draft { selection.id = draft.id }
            throw declined
        }
        try await appear()
    }

    func synchronize() { refresh(all: true) }

    func signIn() async throws {
        try await wireframe.signIn(as: interactor.author)
        if interactor.closed == nil { try await appear() } else { try await reopen() }
    }

    func decide(_ decision: Notes.Decision) async throws {
        let question = "Remove what this server does not know from this computer?"
        if decision == .remove { guard await dialog.confirm(question) else { return } }
        try await interactor.decide(decision)
    }

    func reopen() async throws { try await wireframe.reopen() }

    /// Synchronises while the list can be used, and then sets the focus to the first note if there was none.
    private func refresh(all: Bool) {
        refreshes += 1
        Task { [weak self, interactor] in
            await interactor.synchronize(all: all)
            self?.keepFocus()
            self?.refreshes -= 1
            if all, interactor.syncState == .idle { self?.dialog.notify("Synchronised", as: .positive) }
        }
    }

    /// Sets the focus to the first row if no row has it.
    private func keepFocus() {
        if let id = selection.id, rows.contains(where: { $0.id == id }) { return }
        if selection.id != rows.first?.id { selection.id = rows.first?.id }
    }
}
