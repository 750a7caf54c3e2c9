import DisplayInterface
import DisplayTesting
import Foundation
import NotesInterface
import NotesTesting
import RouterServiceTesting
import Testing

@testable import NotesImplementation

/// The roles of the preview, each alone, and then all of them as the feature puts them together.
@MainActor
struct NotePreviewTests {
    private let tea = Notes.Note.sent("Tea", "Green")

    @Test func presenter_saysWhatThereIsToKnow() {
        let played = PlayedPreview()
        let presenter = NotePreviewPresenter(interactor: played, wireframe: played)
        #expect(presenter.note == nil)
        #expect(presenter.remark == nil)
        played.entry = Notes.Entry(note: tea, status: .unsent(refusal: nil))
        #expect(presenter.note == tea)
        #expect(presenter.remark == nil)
        played.entry = Notes.Entry(note: tea, status: .conflict(theirs: nil))
        #expect(presenter.remark?.contains("deleted elsewhere") == true)
        played.entry = Notes.Entry(note: tea, status: .conflict(theirs: tea))
        #expect(presenter.remark?.contains("changed elsewhere too") == true)
    }

    @Test func presenter_reportsWhatTheUserWants() throws {
        let played = PlayedPreview()
        let presenter = NotePreviewPresenter(interactor: played, wireframe: played)
        try presenter.edit()
        try presenter.delete()
        #expect(played.finished.isEmpty, "there is no note")
        played.entry = Notes.Entry(note: tea, status: .sent)
        try presenter.edit()
        try presenter.delete()
        #expect(played.finished == [.edit(tea.id), .delete(tea.id)])
    }

    @Test func view_showsTheNote_andHandsOnWhatTheUserDoes() async throws {
        let played = PlayedPreviewPresenter()
        #expect(NotePreviewView(presenter: played).content.elements.isEmpty)
        (played.note, played.remark) = (tea, "Changed.")
        let content = NotePreviewView(presenter: played).content
        #expect(content.texts == ["Tea", "Green", "Changed."])
        for choice in content.choices { try await content.press(choice) }
        #expect(played.calls == ["edit", "delete"])
    }

    @Test func flag_decidesWhetherWordsAreCounted() async throws {
        final class Flags: Notes.RequiredFlags { var countsWords = false }
        let (library, flags) = (try await Session().library(tea), Flags())
        let feature = CountedPreviewFeature(library: library, flags: flags)
        #expect(!feature.isEnabled(for: Notes.Preview()))
        flags.countsWords = true
        #expect(feature.isEnabled(for: Notes.Preview()))
        let screen = try feature.build(
            Notes.Preview(), in: RecordingContext<Notes.Preview>().context
        ).contentScreen()
        library.focus = tea.id
        #expect(screen.content().texts == ["Tea", "Green", "1 word"])
        let withoutFlags = CountedPreviewFeature(library: library, flags: nil)
        #expect(!withoutFlags.isEnabled(for: Notes.Preview()))
    }

    @Test func feature_followsTheFocus_andFinishesWithWhatTheUserWants() async throws {
        let milk = Notes.Note.sent("Milk")
        let library = try await Session().library(tea, milk)
        let recorder = RecordingContext<Notes.Preview>()
        let feature = NotePreviewFeature(library: library)
        let screen = try feature.build(Notes.Preview(), in: recorder.context).contentScreen()
        #expect(screen.content().texts.isEmpty)
        library.focus = tea.id
        #expect(screen.content().texts == ["Tea", "Green"])
        library.focus = milk.id
        #expect(screen.content().texts == ["Milk"])
        try await screen.content().press("Edit 'Milk'")
        #expect(recorder.outputs == [.edit(milk.id)])
    }
}

@MainActor
private final class PlayedPreview: NotePreviewInteracting, NotePreviewWireframe {
    var entry: Notes.Entry?
    private(set) var finished: [Notes.Preview.Output] = []

    func finish(_ request: Notes.Preview.Output) throws { finished.append(request) }
}

@MainActor
private final class PlayedPreviewPresenter: NotePreviewPresenting {
    var note: Notes.Note?
    var remark: String?
    private(set) var calls: [String] = []

    func edit() throws { calls.append("edit") }
    func delete() throws { calls.append("delete") }
}
