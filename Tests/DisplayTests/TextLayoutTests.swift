import DisplayInterface
import Testing

@testable import DisplayImplementation

struct TextLayoutTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("한국", 4), ("ﾊﾝ", 2), ("！", 2), ("🙂", 2),
        ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("☺️", 2), ("☺", 1), ("\u{200B}", 0), ("…›•", 3),
        ("नमस्ते", 4), ("हिन्दी", 5), ("தமிழ்", 4), ("กำ", 2), ("က္ကာ", 3), ("각", 2), ("\u{AD}", 1), ("䷀︐🈁", 6),
        ("👍🏽", 2), ("👨‍⚕️", 2), ("1️⃣", 2), ("🇩🇪🇫", 4), ("k\u{FE0F}", 1), ("☺\u{FE0E}", 1),
    ])
    func columns_areThoseOfATerminal(_ text: String, _ columns: Int) {
        #expect(TextLayout.columns(of: text) == columns)
    }

    @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("ab", 0, "")])
    func cut_keepsTheBeginning(_ text: String, _ columns: Int, _ result: String) {
        #expect(TextLayout.cut(text, to: columns) == result)
        #expect(TextLayout.line(text, to: columns) == result)
    }

    @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "…cd"), ("漢字", 3, "…字"), ("ab", 0, "")])
    func cutStart_keepsTheEnd(_ text: String, _ columns: Int, _ result: String) {
        #expect(TextLayout.cutStart(text, to: columns) == result)
    }

    @Test func line_ofAnyLength_readsNoMoreThanItShows() {
        let marks = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(TextLayout.line(marks, to: 10).unicodeScalars.count < 200)
        #expect(TextLayout.line("a\u{1B}[2J\nb", to: 10) == "a\u{FFFD}[2J b")
        #expect(
            TextLayout.line("\u{600}\u{605}1\u{6DD}\u{200E}\u{200F}\u{61C}x", to: 20)
                == "\u{FFFD}\u{FFFD}1\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}x")
        #expect(
            TextLayout.line(String(repeating: "\u{200B}", count: 1000), to: 2).hasSuffix("…"),
            "nothing is cut in silence")
    }

    @Test(arguments: [
        ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
        ("a longword b", 4, ["a", "long", "word", "b"]), ("漢字漢", 4, ["漢字", "漢"]), ("漢", 1, ["漢"]),
        ("a  b", 2, ["a ", "b"]), ("abcd e", 4, ["abcd", "e"]), ("ab ", 2, ["ab", ""]),
    ])
    func lines_breakBetweenWordsFirst_withAPlaceBehindEveryCharacter(
        _ text: String, _ columns: Int, _ lines: [String]
    ) {
        #expect(TextLayout.lines(of: text, to: columns).map(String.init) == lines)
    }

    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\rc", ["a", "b", "c"]), ("a\n", ["a", ""]),
        ("a\u{85}b\u{2028}c\u{2029}d\u{B}e\u{C}f", ["a", "b", "c", "d", "e", "f"]), ("é€漢", ["é€漢"]),
        ("ab cd\n\nef", ["ab cd", "", "ef"]), ("words \nab", ["words", "", "ab"]), ("\n", ["", ""]),
    ])
    func lineEnds_endLines(_ text: String, _ lines: [String]) {
        #expect(TextLayout.lines(of: text, to: 5).map(String.init) == lines)
    }

    @Test(arguments: ["a\u{1B}b", "\u{200E}漢\u{202E}", "\u{600}1", "\t👩‍👩‍👧\u{9B}", "e\u{301}\u{7}"])
    func columns_ofATextThatIsNotPrintedAsItIs_areThoseOfThePrintedOne(_ text: String) {
        #expect(TextLayout.columns(of: text) == TextLayout.columns(of: Display.PlainText.line(text)))
    }

    @Test(arguments: [" ", "", "漢", "👨‍👩‍👧", "e\u{301}"])
    func lines_ofALongWord_loseNothing_andFit(_ separator: String) {
        let text = String(repeating: "word\(separator)", count: 3000) + "end"
        let lines = TextLayout.lines(of: text, to: 20)
        #expect(lines.allSatisfy { TextLayout.columns(of: $0) <= 20 })
        #expect(lines.joined().replacing(" ", with: "") == text.replacing(" ", with: ""))
    }
}
