import DisplayInterface
import Testing

@testable import DisplayImplementation

@MainActor
struct FocusTests {
    private func button(_ title: String) -> Display.Element { .button(Display.Button(title) {}) }
    private func row(_ title: String) -> Display.Element { .row(Display.Row(title) {}) }
    private func field(_ label: String, _ text: String = "") -> Display.Element {
        .field(Display.Field(label, text: text) { _ in })
    }
    private func list(_ ids: some Collection<Int>) -> Display.Element {
        let ids = Array(ids)
        return .list(
            Display.List(ids, id: \.self) { Display.Row("row \($0)") {} })
    }
    private func page(_ elements: [Display.Element]) -> Page {
        Page(Display.Content(title: "", elements: elements))
    }
    private func element(_ focus: Focus, _ elements: [Display.Element]) -> Int? {
        focus.place(on: page(elements))?.element
    }

    @Test func focus_startsAtTheFirstElementThatCanHaveIt() {
        #expect(element(Focus(), [.text("a"), button("b"), button("c")]) == 1)
        #expect(element(Focus(), [.text("a")]) == nil)
        #expect(element(Focus(), [list([]), button("b")]) == 1)
    }

    @Test func focus_ofAForm_startsAtTheFirstEmptyField() {
        #expect(element(Focus(), [.text("a"), field("Name", "ann"), field("Password"), button("Go")]) == 2)
        #expect(element(Focus(), [field("Name", "ann"), field("Password", "x"), button("Go")]) == 0)
        #expect(element(Focus(), [button("Go"), field("Note")]) == 0, "this is no form")
    }

    @Test func focus_staysOnTheSameElementWhenOthersCome() {
        let focus = settled(on: [button("Save")])
        #expect(element(focus, [.error("no"), row("x"), button("Save")]) == 2)
    }

    /// What took the place of an element, such as Sign out that of Sign in, must not take a second Enter.
    @Test func focus_isOnTheFirstElementWhereItsElementIsGone_andComesBack() {
        let all = [row("a"), row("b"), row("c")]
        let focus = settled(on: all, element: 1)
        #expect(element(focus, all) == 1)
        #expect(element(focus, [row("a"), row("c")]) == 0)
        #expect(element(focus, [row("a"), field("Name"), row("c")]) == 0)
        #expect(element(focus, [field("Name", "ann"), field("Password"), row("c")]) == 0)
        #expect(element(focus, []) == nil)
        #expect(element(focus, all) == 1)
    }

    @Test func elementsOfOneName_areDistinguished() {
        let focus = settled(on: [row("Bob"), row("Bob")], element: 1)
        #expect(element(focus, [row("Bob"), row("Bob")]) == 1)
        #expect(element(focus, [.error("no"), row("Bob"), row("Bob")]) == 2)
    }

    @Test func focus_staysOnTheRowOfAList_andNearItWhenThatIsGone() throws {
        let focus = try #require(Focus(at: Place(element: 0, row: 50), on: page([list(0..<100)])))
        #expect(focus.place(on: page([list(30..<100)])) == Place(element: 0, row: 20))
        #expect(focus.place(on: page([.text("x"), list(-500..<100)])) == Place(element: 1, row: 550))
        #expect(focus.place(on: page([list(60..<100)])) == Place(element: 0, row: 39))
        #expect(focus.place(on: page([list(0..<10)])) == Place(element: 0, row: 9))
    }

    @Test func neighbours_areRowByRow_andElementsAreOneStepOfTab() {
        let page = page([button("a"), .text("t"), list(0..<3), list([]), button("b")])
        func walk(_ step: Int, from start: Place) -> [Place] {
            Array(sequence(first: start) { Focus.neighbour(of: $0, by: step, on: page) })
        }
        let all = [
            Place(element: 0), Place(element: 2, row: 0), Place(element: 2, row: 1),
            Place(element: 2, row: 2),
            Place(element: 4),
        ]
        #expect(walk(1, from: all[0]) == all)
        #expect(walk(-1, from: all[4]) == all.reversed())
        #expect(Focus.nextElement(after: all[2], by: 1, on: page) == all[4])
        #expect(Focus.nextElement(after: all[4], by: 1, on: page) == all[0])
        #expect(Focus.nextElement(after: all[0], by: -1, on: page) == all[4])
    }

    private func settled(on elements: [Display.Element], element: Int = 0) -> Focus {
        Focus(at: Place(element: element), on: page(elements)) ?? Focus()
    }
}
