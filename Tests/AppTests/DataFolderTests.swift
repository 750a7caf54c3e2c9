import Foundation
import RouterServiceInterface
import StorageInterface
import Testing

@testable import App

/// The folder in which the App keeps its data.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DataFolderTests {
    @Test(.enabled(if: !isDarwin)) func byDefault_dataIsKeptWhereTheSystemHasAPlaceForIt() throws {
        let environment = ["XDG_STATE_HOME": "/state"]
        #expect(try Arguments([], environment: environment).dataPath == "/state/ModularSwift")
        // The specification says to ignore relative paths.
        for environment in [[:], ["XDG_STATE_HOME": ""], ["XDG_STATE_HOME": "state"]] {
            let path = try Arguments([], environment: environment).dataPath
            #expect(path == "\(NSHomeDirectory())/.local/state/ModularSwift")
        }
    }

    @Test func folder_mayBeRelative() throws {
        let current = FileManager.default.currentDirectoryPath
        #expect(try Arguments(["--data", "some/folder"]).dataPath == "\(current)/some/folder")
        #expect(try Arguments(["--data", "/some/folder/"]).dataPath == "/some/folder")
    }

    @Test func folder_isTheOneOfTheStores() throws {
        let router = makeRouter(backend: nil, dataPath: "/some/folder")
        #expect(try router.resolve(Storage.Folder.self).path == "/some/folder")
        #expect(try entryOfStores(["--data", "/some/folder"]) == "StorageModule")
    }

    @Test func ephemeral_keepsDataInMemory() throws {
        #expect(try entryOfStores(["--ephemeral"]) == "InMemoryStorageModule")
    }

    /// The module entry that registers the stores, where nothing is wrong with the graph.
    private func entryOfStores(_ arguments: [String]) throws -> String? {
        let router = makeRouter(backend: nil, dataPath: try Arguments(arguments).dataPath)
        #expect(CheckReport(router).status == 0)
        return router.services.map(ListedService.init).first { $0.service == "any Storage.Stores" }?.module
    }

    @Test func runWithoutNotes_storesNothingOfTheUser() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())")
        let result = try await BuiltProgram.app.run(
            ["--data", folder.path], input: ["1", "ann", "secret", "6"])
        #expect(result.output.contains("Ann Example") && result.errors.isEmpty && result.status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["user-"])
        try FileManager.default.removeItem(at: folder)
    }
}

#if canImport(Darwin)
    private let isDarwin = true
#else
    private let isDarwin = false
#endif
