import Testing

@testable import DisplayImplementation

struct FrameBarTests {
    private func bar(_ path: String, _ status: String, _ columns: Int) -> String {
        Frame.bar(path: path, status: status, columns: columns).text
    }

    @Test func status_standsAtTheEndOfTheLine() {
        #expect(bar("Profile", "Signed in as ann", 40) == " Profile               Signed in as ann ")
        #expect(Frame.bar(path: "Profile", status: "ann", columns: 40).style == .bar)
    }

    @Test func noStatus_leavesThePathAlone() {
        #expect(bar("Profile", "", 20) == " Profile            ")
        #expect(bar("Profile › Sign in", "", 12) == " …› Sign in ")
    }

    @Test(arguments: [
        (27, " Profile  Signed in as ann "), (26, " Profile  Signed in as a… "),
        (19, " Profile  Signed … "), (18, " Profile          "), (9, " Profile "), (7, " …file "),
    ])
    func narrowLine_cutsTheStatusAndLeavesItOutBeforeThePath(_ columns: Int, _ line: String) {
        #expect(bar("Profile", "Signed in as ann", columns) == line)
    }

    @Test(arguments: [(14, " Profile  ann "), (13, " Profile     ")])
    func shortStatus_isShownAsLongAsTheWholeOfItFits(_ columns: Int, _ line: String) {
        #expect(bar("Profile", "ann", columns) == line)
    }

    @Test(arguments: [
        (24, " 漢字  漢字漢字漢字漢字 "), (23, " 漢字  漢字漢字漢字漢… "), (22, " 漢字   漢字漢字漢字… "),
        (16, " 漢字   漢字漢… "), (15, " 漢字          "),
    ])
    func wideCharacters_areCountedByTheirColumns(_ columns: Int, _ line: String) {
        #expect(bar("漢字", "漢字漢字漢字漢字", columns) == line)
    }

    @Test(arguments: ["", "ann", "漢字漢字漢字", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "e\u{301}e\u{301}", "\u{301}", "\u{FFFD}[2J"])
    func line_ofAnySize_isAsWideAsTheTerminal(_ status: String) {
        for columns in 1...60 {
            for path in ["", "A", "Profile › Sign in", "漢字漢"] {
                let width = TextWidth.columns(of: bar(path, status, columns))
                #expect(width == columns, "\(columns) columns, '\(path)' and '\(status)'")
            }
        }
    }
}
