// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    // By name, because the checkout's folder may have any.
    dependencies: [.package(name: "ModularSwift", path: "../../..")],
    targets: [
        .executableTarget(
            name: "RouterBenchmark",
            dependencies: [
                .product(name: "RouterServiceInterface", package: "ModularSwift"),
                .product(name: "RouterServiceProgram", package: "ModularSwift"),
                .product(name: "RouterServiceImplementation", package: "ModularSwift"),
            ],
            plugins: ["GenerateServices"]),
        .plugin(name: "GenerateServices", capability: .buildTool(), dependencies: ["ServiceGenerator"]),
        .executableTarget(name: "ServiceGenerator"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
