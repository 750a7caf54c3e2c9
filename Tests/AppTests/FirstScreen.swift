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

    /// The number of entries, and the title of the first one.
    static let count = titles.count
    static let first = titles.first ?? ""

    static let signedOut = "\(name)\(signedOutChoices)"
    static let signedOutChoices = choices(rows)

    static func signedIn(as user: String) -> String {
        "\(name)\(choices(rows.map { $0 == "Sign in" ? "Sign out — \(user)" : $0 }))"
    }

    /// The keys that choose an entry on a whole screen, wherever the focus is.
    static func keys(choosing number: String) -> String {
        "\u{1B}[H" + String(repeating: "j", count: (Int(number) ?? 1) - 1) + "\r"
    }

    private static let name = "== Home ==\nModular Swift: features that meet at interfaces\n"
    private static let entries: [Home.Entry] = {
        let entries = try? makeRouter(backend: nil, dataPath: "").resolve([Home.Entry].self)
        return (entries ?? []).sorted { $0.title() < $1.title() }
    }()
    private static let titles = entries.map { $0.title() }
    private static let rows = entries.map { entry in
        entry.detail().map { "\(entry.title()) — \($0)" } ?? entry.title()
    }

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
        let titles = FirstScreen.signedOutChoices.split(separator: "\n").compactMap {
            $0.split(separator: "  ").last?.prefix { $0 != "—" }.trimmingCharacters(in: .whitespaces)
        }
        #expect(titles.filter(known.contains) == known)
    }
}
