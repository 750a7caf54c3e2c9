import Testing

@testable import DisplayImplementation

struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("한국", 4), ("ﾊﾝ", 2), ("！", 2), ("🙂", 2),
        ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("☺️", 2), ("☺", 1), ("\u{200B}", 0), ("…›•", 3),
    ])
    func columns_areThoseOfATerminal(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }

    @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("ab", 0, "")])
    func cut_keepsTheBeginning(_ text: String, _ columns: Int, _ result: String) {
        #expect(TextWidth.cut(text, to: columns) == result)
    }

    @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "…cd"), ("漢字", 3, "…字"), ("ab", 0, "")])
    func cutStart_keepsTheEnd(_ text: String, _ columns: Int, _ result: String) {
        #expect(TextWidth.cutStart(text, to: columns) == result)
    }

    @Test(arguments: [
        ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
        ("a longword b", 4, ["a", "long", "word", "b"]), ("漢字漢", 4, ["漢字", "漢"]), ("漢", 1, ["漢"]),
    ])
    func wrap_breaksBetweenWordsFirst(_ text: String, _ columns: Int, _ lines: [String]) {
        #expect(TextWidth.wrap(text, to: columns) == lines)
    }
}
