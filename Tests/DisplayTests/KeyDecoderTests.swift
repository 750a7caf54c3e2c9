import Testing

@testable import DisplayImplementation

struct KeyDecoderTests {
    @Test(
        arguments: [
            ("a", [.character("a")]), ("é漢🙂", [.character("é"), .character("漢"), .character("🙂")]),
            ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
            ("\u{8}", [.backspace]),
            ("\u{3}", [.interrupt]), ("\u{1A}", [.suspend]), ("\u{1}", [.home]), ("\u{5}", [.end]),
            ("\u{15}", [.eraseLine]), ("\u{2}", []),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
            ("\u{1B}[Z", [.backTab]), ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
            ("\u{1B}[3~\u{1B}[5~\u{1B}[6~", [.delete, .pageUp, .pageDown]),
            ("\u{1B}[1;5Cx", [.character("x")]), ("\u{1B}xy", [.character("y")]),
            ("\u{1B}\u{1B}[A", [.escape, .up]),
            ("\u{1B}[200~a\u{1B}[A\rb\u{1B}[201~c", [.paste("a\u{1B}[A\rb"), .character("c")]),
        ] as [(String, [Key])])
    func bytes_becomeKeys(_ text: String, _ keys: [Key]) {
        var decoder = KeyDecoder()
        let atOnce = decoder.decode(Array(text.utf8))
        #expect(atOnce == keys)
        #expect(!decoder.isWaitingForMore)

        var slow = KeyDecoder()
        var slowKeys: [Key] = []
        for byte in text.utf8 { slowKeys += slow.decode([byte]) }
        #expect(slowKeys == keys, "byte by byte")
    }

    @Test func escape_aloneIsAKeyOnlyAfterAWhile() {
        var decoder = KeyDecoder()
        expect(&decoder, [0x1B], [])
        #expect(decoder.isWaitingForMore)
        let late = decoder.flush()
        #expect(late == [.escape])
        expect(&decoder, Array("[A".utf8), [.character("["), .character("A")])
        let nothing = decoder.flush()
        #expect(nothing.isEmpty)
    }

    @Test func sequence_thatIsNeverFinished_isLeftOut() {
        var decoder = KeyDecoder()
        expect(&decoder, Array("\u{1B}[1".utf8), [])
        let nothing = decoder.flush()
        #expect(nothing.isEmpty)

        let endless = decoder.decode(Array("\u{1B}[\(String(repeating: "1", count: 100))".utf8))
        #expect(endless.allSatisfy { $0 == .character("1") })
        expect(&decoder, [0x61], [.character("a")])
    }

    @Test func brokenText_losesOnlyWhatIsBroken() {
        var decoder = KeyDecoder()
        expect(&decoder, [0xFF, 0x61], [.character("a")])
        expect(&decoder, [0xC3, 0x61], [.character("a")])
        expect(&decoder, [0xE6, 0xBC, 0x0D, 0x80, 0x62], [.enter, .character("b")])
    }

    private func expect(
        _ decoder: inout KeyDecoder, _ bytes: [UInt8], _ keys: [Key],
        at place: SourceLocation = #_sourceLocation
    ) {
        let decoded = decoder.decode(bytes)
        #expect(decoded == keys, sourceLocation: place)
    }
}
