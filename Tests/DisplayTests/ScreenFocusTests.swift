import DisplayInterface
import Testing

@testable import DisplayImplementation

@MainActor
struct ScreenFocusTests {
    private func button(_ title: String) -> Display.Element { .button(Display.Button(title) {}) }
    private func row(_ title: String) -> Display.Element { .row(Display.Row(title) {}) }

    @Test func focus_startsAtTheFirstElementThatCanHaveIt() {
        #expect(ScreenFocus().index(in: [.text("a"), button("b"), button("c")]) == 1)
        #expect(ScreenFocus().index(in: [.text("a")]) == nil)
    }

    @Test func focus_staysOnTheSameElementWhenOthersCome() {
        var focus = ScreenFocus()
        focus.settleOnce(in: [button("Save")])
        #expect(focus.index(in: [.error("no"), row("x"), button("Save")]) == 2)
    }

    @Test func focus_goesToTheNearestWhenItsElementIsGone_andComesBack() {
        var focus = ScreenFocus()
        let all = [row("a"), row("b"), row("c")]
        move(&focus, by: 1, in: all, wraps: false, succeeds: true)
        #expect(focus.index(in: all) == 1)
        #expect(focus.index(in: [row("a"), row("c")]) == 1)
        #expect(focus.index(in: [row("a")]) == 0)
        #expect(focus.index(in: []) == nil)
        #expect(focus.index(in: all) == 1)
    }

    @Test func elementsOfOneName_areToldApart() {
        var focus = ScreenFocus()
        let all = [row("Bob"), row("Bob")]
        move(&focus, by: 1, in: all, wraps: false, succeeds: true)
        #expect(focus.index(in: all) == 1)
    }

    @Test func move_wrapsOnlyWhenAsked() {
        var focus = ScreenFocus()
        let all = [row("a"), row("b")]
        move(&focus, by: -1, in: all, wraps: false, succeeds: false)
        move(&focus, by: -1, in: all, wraps: true, succeeds: true)
        #expect(focus.index(in: all) == 1)
        move(&focus, by: 1, in: all, wraps: false, succeeds: false)
        move(&focus, by: 1, in: [], wraps: true, succeeds: false)
    }

    private func move(
        _ focus: inout ScreenFocus, by step: Int, in elements: [Display.Element], wraps: Bool, succeeds: Bool,
        at place: SourceLocation = #_sourceLocation
    ) {
        let moved = focus.move(by: step, in: elements, wraps: wraps)
        #expect(moved == succeeds, sourceLocation: place)
    }
}
