import DisplayInterface
import Testing

@testable import DisplayImplementation

struct KeyParserTests {
    @Test(
        arguments: [
            ("a", [.text("a")]), ("é漢🙂", [.text("é漢🙂")]),
            ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
            ("\u{8}", [.backspace]),
            ("\u{3}", [.interrupt]), ("\u{1A}", [.suspend]), ("\u{1}", [.home]), ("\u{5}", [.end]),
            ("\u{15}\u{17}\u{B}\u{C}", [.eraseToStart, .eraseWord, .eraseToEnd, .redraw]),
            ("\u{2}\u{0}", [.control("b")]),
            ("ab\tcd", [.text("ab"), .tab, .text("cd")]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
            ("\u{1B}[Z", [.backTab]), ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
            ("\u{1B}[3~\u{1B}[5~\u{1B}[6~", [.delete, .pageUp, .pageDown]),
            ("\u{1B}[1;5C\u{1B}[1;5D\u{1B}b\u{1B}f", [.wordRight, .wordLeft, .wordLeft, .wordRight]),
            ("\u{1B}\u{7F}", [.eraseWord]), ("\u{1B}[1;9Px", [.text("x")]), ("\u{1B}xy", [.text("y")]),
            ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}[1\u{1B}[A", [.up]),
            ("\u{1B}\u{3}", [.interrupt]), ("\u{1B}[1\u{3}", [.interrupt]),
            ("\u{1B}[<0;3;5M\u{1B}[<0;3;5m", [.click(column: 2, row: 4)]),
            (
                "\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<2;1;1M\u{1B}[<0;0;1M\u{1B}[<;1;1M",
                [.scroll(-3), .scroll(3)]
            ),
            ("\u{1B}[200~a\u{1B}[A\rb\u{1B}[201~c", [.paste("a\u{1B}[A\rb"), .text("c")]),
            ("\u{1B}[200~\u{1B}\u{1B}[201\u{1B}[201~", [.paste("\u{1B}\u{1B}[201")]),
            ("\u{1B}[200~a\u{3}b", [.interrupt, .text("b")]),
            ("\u{1B}]11;rgb:1/2/3\u{7}a\u{1B}]2;é\r\u{1B}\\b", [.text("ab")]),
            ("\u{1B}P1+r544e\u{1B}\\\u{1B}Xa\u{1B}\\\u{1B}^b\u{1B}\\\u{1B}_Gi=1;OK\u{1B}\\c", [.text("c")]),
            ("\u{1B}]\u{7}\u{1B}]1\u{1B}[A\u{1B}P\u{3}a", [.up, .interrupt, .text("a")]),
        ] as [(String, [Key])])
    func bytes_becomeKeys(_ text: String, _ keys: [Key]) {
        var parser = KeyParser()
        let atOnce = parser.parse(Array(text.utf8))
        #expect(atOnce == keys)
        #expect(!parser.isWaitingForMore)

        var slow = KeyParser()
        var slowKeys: [Key] = []
        for byte in text.utf8 { slowKeys += slow.parse([byte]) }
        #expect(joined(slowKeys) == keys, "byte by byte")
    }

    /// The keys as they would have been, had neighbouring texts arrived together.
    private func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { joined, key in
            if case .text(let former)? = joined.last, case .text(let more) = key {
                joined[joined.count - 1] = .text(former + more)
            } else {
                joined.append(key)
            }
        }
    }

    @Test func escape_aloneIsAKeyOnlyAfterAWhile() {
        var parser = KeyParser()
        expect(&parser, [0x1B], [])
        #expect(parser.isWaitingForMore)
        let late = parser.flush()
        #expect(late == [.escape])
        expect(&parser, Array("[A".utf8), [.text("[A")])
        let nothing = parser.flush()
        #expect(nothing.isEmpty)
    }

    @Test func sequence_thatIsNeverFinished_isLeftOut() {
        var parser = KeyParser()
        expect(&parser, Array("\u{1B}[1".utf8), [])
        let nothing = parser.flush()
        #expect(nothing.isEmpty)

        let endless = parser.parse(Array("\u{1B}[\(String(repeating: "1", count: 100))".utf8))
        #expect(endless.count == 1)
        expect(&parser, [0x61], [.text("a")])
    }

    @Test func reply_mayPause_andEndsAtALimit_butAltAndALetterBeginNone() {
        var parser = KeyParser()
        expect(&parser, Array("\u{1B}]11".utf8), [])
        #expect(!parser.isWaitingForMore)
        expect(&parser, Array(";rgb".utf8), [])
        expect(&parser, Array("\u{7}a".utf8), [.text("a")])

        expect(&parser, Array("\u{1B}]".utf8), [])
        let nothing = parser.flush()
        #expect(nothing.isEmpty)
        expect(&parser, Array("b".utf8), [.text("b")])

        expect(&parser, Array("\u{1B}]".utf8) + Array(repeating: 0x61, count: 65_536), [])
        expect(&parser, Array("c".utf8), [.text("c")])
    }

    @Test func brokenText_losesOnlyWhatIsBroken() {
        var parser = KeyParser()
        expect(&parser, [0xFF, 0x61], [.text("a")])
        expect(&parser, [0xC3, 0x61], [.text("a")])
        expect(&parser, [0xE6, 0xBC, 0x0D, 0x80, 0x62], [.enter, .text("b")])
        expect(&parser, [0xC3, 0xC3, 0xA9], [.text("é")])
    }

    @Test(.timeLimit(.minutes(1)))
    func paste_inPieces_isOneKey_andWhatNoFieldTakesIsCounted() {
        let text = String(repeating: "0123456789abcdé\n", count: 65_536)
        #expect(keys(ofPaste: text) == [.paste(text)])
        let most = 4 * Display.Field.maximum
        #expect(
            keys(ofPaste: String(repeating: "x", count: most)) == [
                .paste(String(repeating: "x", count: most))
            ])
        #expect(keys(ofPaste: String(repeating: "x", count: most + 1)) == [.oversizedPaste(most + 1)])
    }

    private func keys(ofPaste text: String) -> [Key] {
        var parser = KeyParser()
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
        return stride(from: 0, to: bytes.count, by: 4095).flatMap { start in
            parser.parse(bytes[start..<min(start + 4095, bytes.count)])
        }
    }

    private func expect(
        _ parser: inout KeyParser, _ bytes: [UInt8], _ keys: [Key],
        at place: SourceLocation = #_sourceLocation
    ) {
        let parsed = parser.parse(bytes)
        #expect(parsed == keys, sourceLocation: place)
    }
}
