import Testing

@testable import DisplayImplementation

struct LineEditorTests {
    @Test(
        arguments: [
            ([.character("d")], "abcd", 4), ([.left, .character("x")], "abxc", 3),
            ([.home, .character("x")], "xabc", 1),
            ([.home, .end, .character("x")], "abcx", 4), ([.backspace], "ab", 2),
            ([.home, .backspace], "abc", 0),
            ([.left, .left, .delete], "ac", 1), ([.delete], "abc", 3), ([.left, .eraseLine], "c", 0),
            ([.home, .left, .right, .right, .backspace], "ac", 1), ([.right], "abc", 3),
            ([.paste("x\ty\r\n")], "abcx y", 6), ([.character("\u{301}"), .backspace], "ab", 2),
        ] as [([Key], String, Int)])
    func keys_editTheText(_ keys: [Key], _ text: String, _ cursor: Int) {
        var editor = LineEditor("abc", cursor: .max)
        for key in keys {
            let isEdit = editor.apply(key)
            #expect(isEdit)
        }
        #expect(editor.text == text)
        #expect(editor.cursor == cursor)
    }

    @Test func otherKeys_areLeftToTheScreen() {
        var editor = LineEditor("abc", cursor: 1)
        let isEdit = editor.apply(.tab) || editor.apply(.enter)
        #expect(!isEdit)
        #expect(editor == LineEditor("abc", cursor: 1))
    }
}
