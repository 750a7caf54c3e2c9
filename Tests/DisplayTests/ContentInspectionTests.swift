import DisplayInterface
import DisplayTesting
import Testing

@MainActor
struct ContentInspectionTests {
    private let form = SignInExample()

    @Test func screen_isUsedAsAUserWould() async throws {
        var user: String?
        let screen = form.screen { user = $0 }
        try screen.content().type("ann", into: "User name")
        try screen.content().type("secret", into: "Password")
        #expect(try screen.content().value(of: "User name") == "ann")
        try await screen.content().submit("Password")
        #expect(user == "ann")
        #expect(screen.content().choices == ["Sign in"])
        #expect(screen.content().labels == ["User name", "Password"])
    }

    @Test func list_isPressedByTheTitleOfARow() async throws {
        var opened = 0
        let list = Display.List(0..<1000, id: \.self) { row in Display.Row("Note \(row)") { opened = row }
        }
        try await Display.Content(title: "Archive", elements: [.list(list)]).press("Note 999")
        #expect(opened == 999)
    }

    @Test func press_throwsWhatTheActionThrows() async {
        await #expect(throws: SignInExample.WrongPassword.self) {
            try await form.screen { _ in }.content().press("Sign in")
        }
    }

    @Test func whatDoesNotExist_isNamedWithWhatDoes() async throws {
        let content = form.screen { _ in }.content()
        let press = await #expect(throws: ContentInspectionError.self) { try await content.press("Sign out") }
        #expect(press?.description == "There is no button or row 'Sign out'. There are: [\"Sign in\"].")
        let type = #expect(throws: ContentInspectionError.self) { try content.type("x", into: "Name") }
        #expect(type?.description == "There is no field 'Name'. There are: [\"User name\", \"Password\"].")
        let submit = await #expect(throws: ContentInspectionError.self) {
            try await content.submit("User name")
        }
        #expect(submit?.description == "The field 'User name' has nothing to submit: Enter only moves on.")
    }
}
