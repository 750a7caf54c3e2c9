import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// A route of an older version of an interface.
@available(*, deprecated, renamed: "Shop.Account")
private struct OldAccount: Route {
    typealias Output = String
    static let identifier = "shop.old-account"
    var owner = "ann"
}

/// What a program does that still uses the old route.
///
/// Its witness is deprecated too, so that it may use the old route, and the test that calls the requirement is not.
@MainActor
private protocol OldProgram {
    func registerOldRoute(in registrar: Registrar)
    func openOldRoute(on router: RouterService) async throws -> String
}

private struct Program: OldProgram {
    @available(*, deprecated)
    func registerOldRoute(in registrar: Registrar) {
        registrar.adapt(OldAccount.self, to: Shop.Account.self, .deprecated("Use Shop.Account.")) {
            Shop.Account(owner: $0.owner)
        }
    }

    @available(*, deprecated)
    func openOldRoute(on router: RouterService) async throws -> String {
        try await router.result(of: OldAccount(owner: "bob"))
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DeprecationTests {
    private let program: any OldProgram = Program()

    @Test func deprecatedRoute_keepsWorking() async throws {
        let stage = try await stage()
        let result = Caller { try await program.openOldRoute(on: stage.router) }
        let account = try await stage.arrival(at: Shop.Account.self)
        #expect(account.route.owner == "bob")
        try account.context.finish("done")
        #expect(try await result.output == "done")
    }

    @Test func deprecatedRoute_keepsWorkingInLinks() async throws {
        let stage = try await stage()
        try await stage.router.open(AnyRoute(#"shop.old-account|{"owner":"eve"}"#, in: stage.router.catalog))
        #expect(stage.top(Shop.Account.self)?.route.owner == "eve")
    }

    @Test func deprecatedRoute_isListedWithItsAdvice() async throws {
        let routes = try await stage().router.routes
        #expect(routes.first { $0.identifier == "shop.old-account" }?.deprecation == "Use Shop.Account.")
        #expect(routes.first { $0.identifier == "shop.account" }.map { $0.deprecation == nil } == true)
    }

    @Test func deprecatedRoute_isNoProblem() async throws {
        #expect(try await stage().router.validate().isEmpty)
    }

    private func stage() async throws -> Stage {
        let program = program
        return try await Stage.started {
            $0.probe(Shop.Account.self)
            program.registerOldRoute(in: $0)
        }
    }
}
