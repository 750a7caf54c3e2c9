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
            ("\u{1B}[<0;1\u{3}a", [.interrupt, .text("a")]), ("\u{1B}[\u{3}", [.interrupt]),
            ("\u{1B}O1\u{3}a", [.interrupt, .text("a")]), ("\u{1B} \u{3}a", [.interrupt, .text("a")]),
            ("\u{1B}[<0;3;5M\u{1B}[<0;3;5m", [.click(column: 2, row: 4)]),
            (
                "\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<2;1;1M\u{1B}[<0;0;1M\u{1B}[<;1;1M",
                [.scroll(-3), .scroll(3)]
            ),
            ("\u{1B}[200~a\u{1B}[A\rb\u{1B}[201~c", [.paste("a\u{1B}[A\rb"), .text("c")]),
            ("\u{1B}[200~\u{1B}\u{1B}[201\u{1B}[201~", [.paste("\u{1B}\u{1B}[201")]),
            ("\u{1B}[200~a\u{3}b", [.interrupt, .text("b")]),
            ("\u{1B}]a\u{1B}P\u{3}b", [.text("a"), .interrupt, .text("b")]),
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

    /// The kinds of sequences of ECMA-48 and of xterm's `ctlseqs`, none of which stands for a key here.
    @Test(
        arguments: [
            // CSI, with parameters, private markers and intermediates.
            "\u{1B}[15~", "\u{1B}[1;2P", "\u{1B}[?1;2c", "\u{1B}[>0;276;0c", "\u{1B}[=1;2+z",
            "\u{1B}[?2026;2$y",
            "\u{1B}[5 q", "\u{1B}[8;24;80t", "\u{1B}[1;1;1;1;0&w", "\u{1B}[I", "\u{1B}[O", "\u{1B}[0n",
            "\u{1B}[97;5u", "\u{1B}[57358::65;1:3u", "\u{1B}[27;5;97~",
            "\u{1B}[?\(String(repeating: "64;", count: 90))1c",
            // Reports of the mouse: rxvt's, SGR.
            "\u{1B}[32;5;5M", "\u{1B}[<35;5;5M", "\u{1B}[<0;5;5m",
            // SS2, SS3 with modifiers, and the keypad.
            "\u{1B}Nx", "\u{1B}OP", "\u{1B}O2P", "\u{1B}O1;5S", "\u{1B}Oj", "\u{1B}O ",
            // An Escape and intermediates, or a letter.
            "\u{1B} F", "\u{1B}#8", "\u{1B}(B", "\u{1B}%/G", "\u{1B}%!5", "\u{1B}c", "\u{1B}7", "\u{1B}=",
            "\u{1B}é",
            // C1 controls, as UTF-8 has them.
            "\u{85}", "\u{9B}",
        ])
    func unknownSequence_isNoText_wholeAndInPieces(_ sequence: String) {
        let bytes = Array("\(sequence)a".utf8)
        for cut in bytes.indices {
            var parser = KeyParser()
            let keys = parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...])
            #expect(keys == [.text("a")], "cut before byte \(cut)")
        }
        var slow = KeyParser()
        let slowKeys = bytes.flatMap { slow.parse([$0]) }
        #expect(slowKeys == [.text("a")], "byte by byte")
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

    @Test func sequence_mayPause_andOneThatIsNeverFinishedIsLeftOut() {
        var parser = KeyParser()
        expect(&parser, Array("\u{1B}[1".utf8), [])
        let nothing = parser.flush()
        #expect(nothing.isEmpty)
        expect(&parser, Array(";5Ca".utf8), [.wordRight, .text("a")])

        let endless = parser.parse(Array("\u{1B}[\(String(repeating: "1", count: 2000))".utf8))
        #expect(endless.count == 1)
        expect(&parser, [0x61], [.text("a")])
    }

    @Test func brokenText_losesOnlyWhatIsBroken() {
        var parser = KeyParser()
        expect(&parser, [0xFF, 0x61], [.text("a")])
        expect(&parser, [0xC3, 0x61], [.text("a")])
        expect(&parser, [0xE6, 0xBC, 0x0D, 0x80, 0x62], [.enter, .text("b")])
        expect(&parser, [0xC3, 0xC3, 0xA9], [.text("é")])
    }

    @Test(.timeLimit(.minutes(5)))
    func paste_inPieces_isOneKey_andCutWhereNoFieldTakesIt() {
        let text = String(repeating: "0123456789abcdé\n", count: Display.Field.maximum / 16)
        #expect(keys(ofPaste: text) == [.paste(text)])
        let most = 4 * Display.Field.maximum
        #expect(
            keys(ofPaste: String(repeating: "x", count: most)) == [
                .paste(String(repeating: "x", count: most))
            ])
        #expect(
            keys(ofPaste: String(repeating: "x", count: 2 * most)) == [
                .paste(String(repeating: "x", count: most + 1))
            ], "it is cut, but not so far that a field takes it")
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
