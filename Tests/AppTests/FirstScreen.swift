import Foundation
import HomeInterface
import RouterServiceProgram
import Testing

@testable import App

/// The App's first screen in line mode, which has the entries of all modules: others may be added to the App.
@MainActor
enum FirstScreen {
    /// The number of the entry that opens the notes.
    static let notes = number(of: "Notes")
    /// The number of the entry that opens the user's own profile.
    static let profile = number(of: "Profile")
    /// The number of the entry that signs the user in, or out.
    static let session = number(of: "Sign in")

    static let signedOut = "== Home ==\n\(signedOutChoices)"
    static let signedOutChoices = choices(titles)

    static func signedIn(as user: String) -> String {
        "== Home ==\n\(choices(titles.map { $0 == "Sign in" ? "Sign out — \(user)" : $0 }))"
    }

    /// The keys that choose an entry on a whole screen, wherever the focus is.
    static func keys(choosing number: String) -> String {
        "\u{1B}[H" + String(repeating: "j", count: (Int(number) ?? 1) - 1) + "\r"
    }

    private static let titles: [String] = {
        let entries = try? makeRouter(backend: nil, dataPath: nil).resolve([Home.Entry].self)
        return (entries ?? []).map { $0.title() }.sorted()
    }()

    private static func number(of title: String) -> String {
        "\((titles.firstIndex(of: title) ?? titles.count) + 1)"
    }

    private static func choices(_ titles: [String]) -> String {
        titles.enumerated().map { "  \($0 + 1)  \($1)\n" }.joined() + "> \n"
    }
}

@MainActor
struct FirstScreenTests {
    @Test func firstScreen_hasTheEntriesOfAllModules_andFollowsASignIn() async throws {
        let input = [FirstScreen.session, "ann", "secret", FirstScreen.session]
        let output = try await BuiltProgram.app.transcript([], input: input)
        let screens = output.components(separatedBy: "\n\n")
        #expect(screens.count == 4)
        #expect(screens.first == "\(FirstScreen.signedOut.dropLast())\(FirstScreen.session)")
        #expect(screens[2] == "\(FirstScreen.signedIn(as: "ann").dropLast())\(FirstScreen.session)")
        #expect(screens.last == FirstScreen.signedOut)
        let known = ["Notes", "Profile", "Sign in"]
        let titles = FirstScreen.signedOut.split(separator: "\n").compactMap {
            $0.split(separator: "  ").last
        }
        #expect(titles.map(String.init).filter(known.contains) == known)
    }
}
