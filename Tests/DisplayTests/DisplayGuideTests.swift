import DisplayInterface
import DisplayTesting
import Observation
import Testing

/// The code of the module's README, compiled and run.
@MainActor
struct DisplayGuideTests {
    @Test func content_followsTheModelAndChangesIt() async throws {
        let model = GreetingModel()
        let screen = Display.ContentScreen.greeting(model)
        try await screen.appears()
        #expect(screen.content().texts == ["Hello, Ann!"])
        try screen.content().type("Anna", into: "Name")
        try await screen.content().press("Save")
        #expect(screen.content().texts == ["Hello, Anna!"])
    }
}

@MainActor
@Observable
private final class GreetingModel {
    private(set) var greeting = ""
    var name = ""

    func load() async throws {
        name = "Ann"
        try await save()
    }

    func save() async throws {
        greeting = "Hello, \(name)!"
    }
}

extension Display.ContentScreen {
    fileprivate static func greeting(_ model: GreetingModel) -> Display.ContentScreen {
        // snippet: content
        Display.ContentScreen(appear: model.load) {
            Display.Content(
                title: "Profile",
                elements: [
                    .text(model.greeting),
                    .field(Display.Field("Name", text: model.name) { model.name = $0 }),
                    .button(Display.Button("Save", action: model.save)),
                ])
        }
        // snippet: end
    }
}
