// swift-tools-version: 6.3
import PackageDescription

let router = product("RouterServiceInterface")
// For what shows screens, and for programs.
let program = product("RouterServiceProgram")
let routerService = product("RouterServiceImplementation")

let package = Package(
    name: "Adopting",
    platforms: [.iOS(.v18)],
    // By name, because the checkout's folder may have any.
    dependencies: [.package(name: "ModularSwift", path: "../..")],
    targets: [
        .target(
            name: "SwiftUIDisplayInterface", dependencies: [router], path: "SwiftUIDisplay/Interface"),
        .target(
            name: "SwiftUIDisplayImplementation", dependencies: ["SwiftUIDisplayInterface", router, program],
            path: "SwiftUIDisplay/Implementation"),
        .target(name: "UIKitDisplayInterface", dependencies: [router], path: "UIKitDisplay/Interface"),
        .target(
            name: "UIKitDisplayImplementation", dependencies: ["UIKitDisplayInterface", router, program],
            path: "UIKitDisplay/Implementation"),

        .target(name: "GreetingInterface", dependencies: [router], path: "Greeting/Interface"),
        .target(
            name: "GreetingImplementation", dependencies: ["GreetingInterface", router],
            path: "Greeting/Implementation"),
        .target(
            name: "GreetingSwiftUI", dependencies: ["GreetingInterface", "SwiftUIDisplayInterface", router],
            path: "Greeting/SwiftUI"),
        .target(
            name: "GreetingUIKit", dependencies: ["GreetingInterface", "UIKitDisplayInterface", router],
            path: "Greeting/UIKit"),
        .target(
            name: "GreetingTesting", dependencies: ["GreetingInterface", router], path: "Greeting/Testing"),
        .target(
            name: "GreetingPreviews",
            dependencies: [
                "GreetingInterface", "GreetingSwiftUI", "GreetingTesting", "SwiftUIDisplayInterface",
                "SwiftUIDisplayImplementation", router, program, routerService,
            ],
            path: "GreetingPreviews"),

        // In Xcode, the source of an app target.
        .executableTarget(
            name: "GreetingApp",
            dependencies: [
                "GreetingInterface", "GreetingImplementation", "GreetingSwiftUI", "SwiftUIDisplayInterface",
                "SwiftUIDisplayImplementation", router, program, routerService,
            ],
            path: "GreetingApp"),
        .executableTarget(
            name: "GreetingUIKitApp",
            dependencies: [
                "GreetingInterface", "GreetingImplementation", "GreetingUIKit", "UIKitDisplayInterface",
                "UIKitDisplayImplementation", router, program, routerService,
            ],
            path: "GreetingUIKitApp"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "ModularSwift") }
