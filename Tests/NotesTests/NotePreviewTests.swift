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

    @Test func preview_followsTheFocus_andFinishesWithWhatTheUserWants() async throws {
        let milk = Notes.Note.sent("Milk")
        let library = try await session.library(tea, milk)
        let feature = NotePreviewFeature(library: library, selection: selection)
        let screen = try feature.build(Notes.Preview(), in: recorder.context).contentScreen()
        #expect(screen.content().elements.isEmpty)
        selection.id = tea.id
        #expect(screen.content().texts == ["Tea", "Green"])
        selection.id = milk.id
        #expect(screen.content().texts == ["Milk"])
        for choice in screen.content().choices { try await screen.content().press(choice) }
        #expect(recorder.outputs == [.edit(milk.id), .delete(milk.id)])
    }

    @Test func remark_isAboutWhatTheServerDoesNotHave() async throws {
        let library = try await session.library(tea)
        selection.id = tea.id
        let presenter = NotePreviewPresenter(
            library: library, selection: selection, context: recorder.context)
        #expect(presenter.remark == nil)
        try await library.save(
            Notes.Note(id: tea.id, title: "Black tea", text: "", version: "3"), replacing: tea)
        #expect(presenter.note?.title == "Black tea")
        #expect(presenter.remark == nil)
        try await library.receive([
            ServerNote(id: tea.id, title: "Cocoa", text: "", changed: tea.changed, version: "4")
        ])
        #expect(presenter.remark?.contains("changed elsewhere too") == true)
        try await library.receive([], deleted: [ServerDeletion(id: tea.id)])
        #expect(presenter.remark?.contains("deleted elsewhere") == true)
        let draft = UUID()
        library.keep(Notes.Draft(title: "New", text: "", original: nil), of: draft)
        selection.id = draft
        #expect(presenter.remark?.contains("have not saved this note") == true)
    }
}
