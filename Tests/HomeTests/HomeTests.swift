import DisplayInterface
import DisplayTesting
import HomeInterface
import HomeTesting
import Observation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import HomeImplementation

@MainActor
struct HomeTests {
    private struct Shelf: Route {
        static let identifier = "test.shelf"
        let number: Int
    }

    @Observable
    @MainActor
    final class Lamp {
        var isOn = false
    }

    private let recorder = RecordingContext<Home.Overview>()

    @Test func fakeModule_handlesTheRoutesOfTheModule() {
        let (fake, real) = (RecordedModules(FakeHomeModule()), RecordedModules(HomeModule()))
        #expect(Set(fake.routes) == Set(real.routes))
    }

    @Test func entries_areInTheOrderOfTheirTitlesAndLinks_whicheverModuleComesFirst() async throws {
        let entries = [("Tea", 1), ("Milk", 2), ("Tea", 3)].map { title, number in
            Home.Entry(title, opens: Shelf(number: number))
        }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let recorder = RecordingContext<Home.Overview>()
            let content = try content(order.map { entries[$0] }, in: recorder)
            #expect(content.choices == ["Milk", "Tea", "Tea"])
            for case .row(let row) in content.elements { try await row.action() }
            #expect(recorder.router.opened == [2, 1, 3].map { AnyRoute(Shelf(number: $0)) })
        }
    }

    @Test func entry_followsTheStateThatItsArgumentsRead() async throws {
        let lamp = Lamp()
        let entry = Home.Entry(
            lamp.isOn ? "Switch off" : "Switch on", detail: lamp.isOn ? "bright" : nil,
            opens: Shelf(number: lamp.isOn ? 0 : 1))
        let screen = try screen([entry], in: recorder)
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            #expect(screen.content().choices == ["Switch on"])
        } onChange: {
            change.finish()
        }
        lamp.isOn = true
        for await _ in changes {}
        let rows = screen.content().elements.compactMap { if case .row(let row) = $0 { row } else { nil } }
        #expect(rows.map(\.title) == ["Switch off"])
        #expect(rows.map(\.detail) == ["bright"])
        try await screen.content().press("Switch off")
        #expect(recorder.router.opened == [AnyRoute(Shelf(number: 0))])
    }

    @Test func entryThatCannotBeOpened_throwsForTheScreenToShow() async throws {
        let content = try content([Home.Entry("Tea", opens: Shelf(number: 1))], in: recorder)
        recorder.router.refusal = RouterError.missingHandler(route: TypeKey(Shelf.self))
        await #expect(throws: RouterError.self) { try await content.press("Tea") }
    }

    private func screen(
        _ entries: [Home.Entry], in recorder: RecordingContext<Home.Overview>
    ) throws -> Display.ContentScreen {
        try HomeFeature(entries: entries).build(Home.Overview(), in: recorder.context).contentScreen()
    }

    private func content(
        _ entries: [Home.Entry], in recorder: RecordingContext<Home.Overview>
    ) throws -> Display.Content {
        try screen(entries, in: recorder).content()
    }
}
