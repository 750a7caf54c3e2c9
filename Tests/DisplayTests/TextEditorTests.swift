import DisplayInterface
import Testing

@testable import DisplayImplementation

struct TextEditorTests {
    @Test(
        arguments: [
            ([.text("d")], "abcd", 4), ([.left, .text("x")], "abxc", 3),
            ([.home, .text("x")], "xabc", 1), ([.text("漢🙂")], "abc漢🙂", 5),
            ([.home, .end, .text("x")], "abcx", 4), ([.backspace], "ab", 2),
            ([.home, .backspace], "abc", 0),
            ([.left, .left, .delete], "ac", 1), ([.delete], "abc", 3), ([.left, .eraseToStart], "c", 0),
            ([.left, .eraseToEnd], "ab", 2), ([.eraseWord], "", 0),
            ([.home, .left, .right, .right, .backspace], "ac", 1), ([.right], "abc", 3),
            ([.paste("x\ty\r\n")], "abcx y", 6), ([.text("\u{301}"), .backspace], "ab", 2),
            ([.text("👨‍👩‍👧"), .backspace], "abc", 3), ([.text("🇩🇪🇫🇷"), .left, .backspace], "abc🇫🇷", 3),
            ([.text("\u{1B}")], "abc\u{FFFD}", 4),
        ] as [([Key], String, Int)])
    func keys_editTheText(_ keys: [Key], _ text: String, _ cursor: Int) {
        var editor = TextEditor("abc")
        for key in keys {
            let outcome = editor.apply(key, limit: 100)
            #expect([.changed, .moved].contains(outcome))
        }
        #expect(editor.text == text)
        #expect(editor.before.count == cursor)
        #expect(editor.before + editor.after == text)
    }

    @Test(
        arguments: [
            ([.wordLeft], "one  two ", "three"), ([.wordLeft, .wordLeft], "one  ", "two three"),
            ([.home, .wordRight], "one", "  two three"),
            ([.home, .wordRight, .wordRight], "one  two", " three"),
            ([.eraseWord], "one  two ", ""), ([.wordLeft, .eraseWord], "one  ", "three"),
            ([.home, .wordLeft], "", "one  two three"), ([.wordRight], "one  two three", ""),
        ] as [([Key], String, String)])
    func words_areMovedOverAndErased(_ keys: [Key], _ before: String, _ after: String) {
        var editor = TextEditor("one  two three")
        for key in keys { _ = editor.apply(key, limit: 100) }
        #expect(editor.before == before)
        #expect(editor.after == after)
    }

    @Test func otherKeys_areLeftToTheScreen() {
        var editor = TextEditor("abc")
        for key in [Key.tab, .enter, .up, .pageDown, .escape, .scroll(3), .redraw] {
            let outcome = editor.apply(key, limit: 100)
            #expect(outcome == .ignored)
        }
        #expect(editor.text == "abc")
    }

    @Test func whatDoesNotFit_isRefusedAsAWhole() {
        var editor = TextEditor("abc")
        #expect(apply(.text("de"), to: &editor, limit: 5) == .changed)
        #expect(apply(.text("f"), to: &editor, limit: 5) == .refused)
        #expect(apply(.paste("漢字"), to: &editor, limit: 6) == .refused)
        #expect(
            apply(.paste("xy" + String(repeating: "\n", count: 100_000)), to: &editor, limit: 100) == .refused
        )
        #expect(editor.text == "abcde")
        #expect(apply(.paste("漢字"), to: &editor, limit: 7) == .changed, "scalars are counted, not bytes")
    }

    @Test func textThatSomebodyElseChanged_isFollowed() {
        var editor = TextEditor("abcd")
        for key in [Key.home, .right] { _ = editor.apply(key, limit: 100) }
        editor.update(to: "漢字")
        #expect(editor.before == "漢")
        #expect(editor.after == "字")
        editor.update(to: "x")
        #expect(editor.before == "x")
        editor.update(to: "\u{E9}")
        editor.update(to: "e\u{301}")
        #expect(editor.text.unicodeScalars.count == 2, "another normalisation is another text")
        editor.update(to: "xyz")
        #expect(editor.before == "xyz", "the end stays the end")
    }

    private func apply(_ key: Key, to editor: inout TextEditor, limit: Int) -> TextEditor.Outcome {
        editor.apply(key, limit: limit)
    }
}
