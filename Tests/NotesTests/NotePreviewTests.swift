import DisplayInterface
import DisplayTesting
import Foundation
import NotesInterface
import NotesTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import NotesImplementation

/// The preview over the notes of a session.
@MainActor
struct NotePreviewTests {
    private let tea = Notes.Note.sent("Tea", "Green", version: "3")
    private let session = Session()
    private let recorder = RecordingContext<Notes.Preview>()
    private let selection = NoteSelection()

    private func texts(_ library: StoredLibrary) throws -> [String] {
        let feature = NotePreviewFeature(library: library, selection: selection)
        return try feature.build(Notes.Preview(), in: recorder.context).contentScreen().content().texts
    }

    @Test func preview_followsTheFocus() async throws {
        let milk = Notes.Note.sent("Milk")
        let library = try await session.library(tea, milk)
        let feature = NotePreviewFeature(library: library, selection: selection)
        let screen = try feature.build(Notes.Preview(), in: recorder.context).contentScreen()
        #expect(screen.content().elements.isEmpty)
        selection.id = tea.id
        #expect(screen.content().texts == ["Tea", "Green"])
        selection.id = milk.id
        #expect(screen.content().texts == ["Milk"])
    }

    @Test func remark_isAboutWhatTheServerDoesNotHave() async throws {
        let library = try await session.library(tea)
        selection.id = tea.id
        try await library.save(
            Notes.Note(id: tea.id, title: "Black tea", text: "", version: "3"), replacing: tea)
        #expect(try texts(library) == ["Black tea"])
        library.keep(Notes.Draft(title: "Red tea", text: "", original: tea), of: tea.id)
        #expect(
            try texts(library) == [
                "Red tea", "You have not saved your changes. Open the note to do so, or to discard them.",
            ])
        library.keep(nil, of: tea.id)
        try await library.receive([
            ServerNote(Notes.Note(id: tea.id, title: "Cocoa", text: ""), "4", after: "3")
        ])
        #expect(try texts(library).last?.contains("changed elsewhere too") == true)
        try await library.receive([], deleted: [ServerDeletion(id: tea.id, former: ["3", "4"])])
        #expect(try texts(library).last?.contains("deleted elsewhere") == true)
        let draft = UUID()
        library.keep(Notes.Draft(title: "New", text: "", original: nil), of: draft)
        selection.id = draft
        #expect(try texts(library).last?.contains("have not saved this note") == true)
    }
}
