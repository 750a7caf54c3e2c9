import Foundation
import GreetingInterface
import SwiftUI
import Testing
import UIKit

@testable import GreetingApp
@testable import GreetingPreviews
@testable import GreetingUIKitApp

/// The two programs and the previews, from their entries on.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct GreetingTests {
    @Test func app_opensURLs_andShowsTheirScreens() async throws {
        let app = GreetingApp()
        try open("app://greeting/Ann", in: app)
        try await wait { Shown(app).path.count == 1 }
        #expect(Shown(app).texts.first?.hasSuffix("you!") == true)
        #expect(Shown(app).topTexts.first?.hasSuffix("Ann!") == true)
        Shown(app).path.first?.buttons["Greet again"]?()
        try await wait { Shown(app).sheet != nil }
        #expect(Shown(app).topTexts.first?.hasSuffix("Ann!") == true)
    }

    @Test func app_showsErrors() async throws {
        let app = GreetingApp()
        try open("app://nowhere", in: app)
        try await wait { Shown(app).texts.contains { $0.contains("No route has a URL pattern") } }
    }

    @Test func appWithUIKit_opensURLs() async throws {
        let app = GreetingUIKitApp()
        let navigation = try #require(Shown(app).controllers.first as? UINavigationController)
        let window = UIWindow()
        window.rootViewController = navigation
        window.makeKeyAndVisible()
        try open("app://greeting/Ann", in: app)
        try await wait { navigation.viewControllers.count == 2 }
        #expect(navigation.topViewController?.title?.hasSuffix("Ann!") == true)
        let button = navigation.topViewController?.navigationItem.rightBarButtonItem?.primaryAction
        if let button { button.handler(button) }
        try await wait { navigation.presentedViewController != nil }
    }

    @Test func preview_showsTheFeatureWithFakes() async {
        let preview = Shown(preview(of: Greeting.Card(name: "Ann")))
        await preview.tasks.first?()
        #expect(preview.now.texts == ["Hello, Ann!"])
    }

    private func open(_ text: String, in app: some App) throws {
        let open = try #require(Shown(app).openURL)
        open(try #require(URL(string: text)))
    }
}
