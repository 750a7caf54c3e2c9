import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Interceptors and features see every route, whichever way it came in.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct InterceptedOpeningTests {
    /// An opening of the account that a guard must not let pass.
    struct Opening: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let open: @MainActor @Sendable (Stage) async throws -> Void

        init(_ name: String, _ open: @escaping @MainActor @Sendable (Stage) async throws -> Void) {
            (testDescription, self.open) = (name, open)
        }
    }

    nonisolated static let openings = [
        Opening("typed") { try await $0.router.open(Shop.Account()) },
        Opening("typed, from a screen") {
            try await $0.top(Shop.Catalogue.self)?.context.open(Shop.Account())
        },
        Opening("awaited") { _ = try await $0.router.result(of: Shop.Account()) },
        Opening("awaited, from a screen") {
            _ = try await $0.top(Shop.Catalogue.self)?.context.result(of: Shop.Account())
        },
        Opening("through the router as a service") {
            try await $0.router.resolve((any Router).self).open(Shop.Account())
        },
        Opening("as a new root") { try await $0.router.open(Shop.Account(), as: .root) },
        Opening("link") {
            try await $0.router.open(AnyRoute("shop.account|{\"owner\":\"ann\"}", in: $0.router.catalog))
        },
        Opening("link, from a screen") {
            let link = try AnyRoute("shop.account|{\"owner\":\"ann\"}", in: $0.router.catalog)
            try await $0.top(Shop.Catalogue.self)?.context.open(link)
        },
        Opening("URL") {
            let url = try #require(URL(string: "app://account/ann"))
            try await $0.router.open($0.router.catalog.route(for: url))
        },
        Opening("restored, the first") {
            try await $0.router.restore(snapshot(Shop.Account(), Shop.Catalogue()))
        },
        Opening("restored, in the middle") {
            try await $0.router.restore(snapshot(Shop.Catalogue(), Shop.Account(), Shop.Catalogue(page: 2)))
        },
        Opening("middle of a stack") {
            try await $0.router.open([Shop.Catalogue(page: 2), Shop.Account(), Shop.Catalogue(page: 3)])
        },
        Opening("end of a stack, from a screen") {
            try await $0.top(Shop.Catalogue.self)?.context.open([Shop.Catalogue(page: 2), Shop.Account()])
        },
        Opening("in place of a screen") {
            try await $0.top(Shop.Catalogue.self)?.context.replace(with: Shop.Account())
        },
        Opening("within a screen") {
            _ = try await $0.top(Shop.Catalogue.self)?.context.embed(Shop.Account())
        },
        Opening("target of a redirect") { try await $0.router.open(Shop.Catalogue(page: 77)) },
        Opening("target of a fallback") { try await $0.router.open(Shop.Help()) },
        Opening("target of an adapter") { try await $0.router.open(Shop.SignIn()) },
    ]

    /// What keeps the account from being shown.
    enum Guard: CaseIterable {
        case interceptor, availability

        var failure: Failure { self == .interceptor ? .shop : .disabled }
    }

    @Test(arguments: openings, Guard.allCases)
    func guardedRoute_doesNotPass(opening: Opening, by guarding: Guard) async throws {
        let journal = Journal()
        let stage = stage(guarding, journal)
        try await stage.router.start(with: Shop.Catalogue())
        #expect(await failure { try await opening.open(stage) } == guarding.failure)
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        #expect(journal.lines == ["shop.account"])
    }

    @Test(arguments: Guard.allCases)
    func guardedRoute_asTheFirstScreen_doesNotPass(by guarding: Guard) async throws {
        let stage = stage(guarding, Journal())
        #expect(await failure { try await stage.router.start(with: Shop.Account()) } == guarding.failure)
        #expect(stage.shown == [])
        try await stage.router.start(with: Shop.Catalogue())
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func request_saysInWhichStyleTheScreenWouldBeShown() async throws {
        let journal = Journal()
        let stage = try await Stage.started {
            $0.decide { request in
                journal.note(request.style.rawValue)
                return .proceed
            }
        }
        try await stage.router.open(Shop.Catalogue(page: 2), as: .modal)
        try await stage.router.open(Shop.Catalogue(page: 2), as: .root)
        #expect(journal.lines == ["root", "modal", "root"])
    }

    private func stage(_ guarding: Guard, _ journal: Journal) -> Stage {
        Stage {
            $0.route(Shop.Account.self, .url("app://account/:owner")) {
                ConditionalFeature<Shop.Account> { _ in guarding == .interceptor }
            }
            $0.route(Shop.Help.self, .fallback { _ in Shop.Account() }) {
                ConditionalFeature<Shop.Help> { _ in false }
            }
            $0.adapt(Shop.SignIn.self, to: Shop.Account.self) { _ in
                Shop.Account()
            } output: {
                $0
            }
            $0.decide { request in
                switch request.route {
                case let route as Shop.Catalogue where route.page == 77:
                    return .redirect(to: Shop.Account())
                case is Shop.Account:
                    journal.note("shop.account")
                    return guarding == .interceptor ? .reject(Shop.Failure()) : .proceed
                default:
                    return .proceed
                }
            }
        }
    }
}

@MainActor
private func snapshot(_ routes: any Route...) -> RouterSnapshot {
    RouterSnapshot(
        entries: routes.map { RouterSnapshot.Entry(route: AnyRoute($0), style: .push) })
}
