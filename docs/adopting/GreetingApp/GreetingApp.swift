import Foundation
import GreetingImplementation
import GreetingInterface
import GreetingSwiftUI
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import SwiftUI
import SwiftUIDisplayImplementation
import SwiftUIDisplayInterface

/// Composes the modules, and shows their screens.
@main
struct GreetingApp: App {
    private let router: any ProgramRouter
    private let start: Task<Void, any Error>
    @State private var failure: String?

    init() {
        let router = RouterService(modules: [
            GreetingModule(), GreetingSwiftUIModule(), SwiftUIDisplayModule(),
        ])
        start = Task { try await router.start(with: Greeting.Card(name: "you")) }
        self.router = router
    }

    var body: some Scene {
        WindowGroup {
            window.task { await show() }
                .onOpenURL { url in Task { await show(url) } }
        }
    }

    private var window: some View {
        VStack {
            try? router.resolve((any SwiftUIDisplay.Window).self).content
            if let failure { Text(failure) }
        }
    }

    /// Shows the first screen and, above it, the one of a URL, which may have launched the App.
    private func show(_ url: URL? = nil) async {
        do {
            try await start.value
            if let url { try await router.open(router.catalog.route(for: url)) }
        } catch {
            failure = error.localizedDescription
        }
    }
}
