// swift-tools-version: 6.3
import PackageDescription

// Reads text that is nearly a link, a JSON document or a URL, and ends where something must not happen.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    // By name, because the checkout's folder may have any.
    dependencies: [.package(name: "ModularSwift", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Fuzzing",
            dependencies: [
                .product(name: "RouterServiceInterface", package: "ModularSwift"),
                .product(name: "RouterServiceProgram", package: "ModularSwift"),
                .product(name: "RouterServiceImplementation", package: "ModularSwift"),
            ],
            path: ".",
            exclude: ["examples.txt"])
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
