import GreetingInterface
import GreetingSwiftUI
import GreetingTesting
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import SwiftUI
import SwiftUIDisplayImplementation
import SwiftUIDisplayInterface

#Preview("A greeting") { preview(of: Greeting.Card(name: "Ann")) }

/// A window with the screen of a route, and with fakes of all services.
@MainActor
func preview(of route: some Route) -> some View {
    let router = RouterService(modules: [
        FakeGreetingModule(), GreetingSwiftUIModule(), SwiftUIDisplayModule(),
    ])
    let window = try? router.resolve((any SwiftUIDisplay.Window).self).content
    return window.task { try? await router.start(with: route) }
}
