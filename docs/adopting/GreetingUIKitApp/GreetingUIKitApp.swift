import Foundation
import GreetingImplementation
import GreetingInterface
import GreetingUIKit
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import SwiftUI
import UIKit
import UIKitDisplayImplementation
import UIKitDisplayInterface

/// Composes the modules, and shows their screens.
@main
struct GreetingUIKitApp: App {
    private let router: any ProgramRouter
    private let start: Task<Void, any Error>
    @State private var failure: String?

    init() {
        let router = RouterService(modules: [
            GreetingModule(), GreetingUIKitModule(), UIKitDisplayModule(),
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
            (try? router.resolve((any UIKitDisplay.Window).self).controller).map(ControllerView.init)
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

/// Shows a view controller in SwiftUI's window.
private struct ControllerView: UIViewControllerRepresentable {
    let controller: UIViewController

    func makeUIViewController(context: Context) -> UIViewController { controller }

    func updateUIViewController(_ controller: UIViewController, context: Context) {}
}
