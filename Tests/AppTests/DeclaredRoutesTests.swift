import Foundation
import Testing

@testable import App

/// Looks for routes in the interfaces' sources, so that none is missing from the lists that `--check` compares with.
@MainActor
struct DeclaredRoutesTests {
    @Test func everyRouteOfAnInterface_isInItsListAndHandled() async throws {
        let inSources = try BuiltProgram.checkout("Modules").path.interfaceSources().flatMap(\.declaredRoutes)
        // Like "LoginInterface.Login.SignIn".
        let listed = declaredRoutes.map { String(reflecting: $0).split(separator: ".", maxSplits: 1)[1] }
        let handled = try await BuiltProgram.app.run(["--routes"]).output.split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ")[2] }
        #expect(!inSources.isEmpty)
        #expect(Set(listed.map(String.init)) == Set(inSources))
        #expect(Set(handled.map(String.init)) == Set(inSources))
    }

    @Test(arguments: [
        "extension Login {\n    public struct SignIn: Route {}\n}",
        "extension Login {\n    struct SignIn: Hashable,\n        Route {\n    }\n}",
        "extension Login {\n    public enum SignIn : Codable, RouterServiceInterface.Route {\n    }\n}",
        "extension Login {\n    struct SignIn {}\n}\n\nextension Login.SignIn: Route {}",
        "public enum Login {\n    public struct SignIn<Value>: Route where Value: Codable {\n    }\n}",
    ])
    func declaration_isFoundInAnyForm(source: String) {
        #expect(source.declaredRoutes == ["Login.SignIn"])
    }

    @Test(arguments: [
        "extension Login {\n    /// struct SignIn: Route {}\n    struct Session: Hashable {}\n}",
        "public protocol Route: Codable {}",
        "extension Login {\n    struct SignIn: RouteLike {}\n}",
        "public struct RouteContext<Destination: Route> {\n}",
        "extension RouteContext where Destination: Route {\n}",
        "extension Login {\n    static var routes: [any Route.Type] { [] }\n}",
    ])
    func otherCode_isNoRoute(source: String) {
        #expect(source.declaredRoutes.isEmpty)
    }
}

extension URL {
    /// The Swift files in the `Interface` folder of each module.
    fileprivate func interfaceSources() throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(at: self, includingPropertiesForKeys: nil).flatMap { module in
            let folder = module.appending(component: "Interface")
            let sources = files.enumerator(at: folder, includingPropertiesForKeys: nil)
            return try (sources?.allObjects ?? []).compactMap { $0 as? URL }
                .filter { $0.pathExtension == "swift" }
                .map { try String(contentsOf: $0, encoding: .utf8) }
        }
    }
}

extension String {
    /// The types that this source declares to be routes, each with the namespace around it.
    fileprivate var declaredRoutes: [String] {
        let header =
            /^(?<margin> *)(?:\w+ )*(?:struct|enum|class|actor|extension)\s+(?<name>[\w.]+)(?<rest>[^{]*)\{/
        var namespace = ""
        return replacing(/\/\/.*/, with: "").matches(of: header.anchorsMatchLineEndings()).compactMap {
            match in
            let name =
                match.output.margin.isEmpty ? "\(match.output.name)" : "\(namespace).\(match.output.name)"
            if match.output.margin.isEmpty { namespace = name }
            // What stands in angle brackets or behind 'where' is required of others.
            let conformances = match.output.rest.replacing(/<[^>]*>|\bwhere\b[^{]*/, with: "")
            return conformances.contains(/[:,&.]\s*Route\b/) ? name : nil
        }
    }
}
