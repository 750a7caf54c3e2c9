import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Interceptors see every route, whichever way it came in.
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
        Opening("URL") { try await $0.router.open(try url("app://account/ann")) },
        Opening("URL, from a screen") {
            try await $0.top(Shop.Catalogue.self)?.context.open(try url("app://account/ann"))
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
        Opening("target of a redirect") { try await $0.router.open(Shop.Catalogue(page: 77)) },
        Opening("target of a fallback") { try await $0.router.open(Shop.Help()) },
        Opening("target of an adapter") { try await $0.router.open(Shop.SignIn()) },
    ]

    @Test(arguments: openings)
    func guardedRoute_doesNotPass(opening: Opening) async throws {
        let journal = Journal()
        let stage = try await guarded(journal)
        await #expect(throws: Shop.Failure.self) { try await opening.open(stage) }
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        #expect(journal.lines == ["shop.account"])
    }

    @Test func guardedRoute_asTheFirstScreen_doesNotPass() async throws {
        let journal = Journal()
        let stage = guardedStage(journal)
        await #expect(throws: Shop.Failure.self) { try await stage.router.start(with: Shop.Account()) }
        #expect(stage.shown == [])
        try await stage.router.start(with: Shop.Catalogue())
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    @Test func guardedRoute_restoredAsTheFirstScreen_doesNotPass() async throws {
        let stage = guardedStage(Journal())
        await #expect(throws: Shop.Failure.self) {
            try await stage.router.restore(snapshot(Shop.Catalogue(), Shop.Account()))
        }
        #expect(stage.shown == [])
    }

    @Test func request_saysInWhichStyleTheScreenWouldBeShown() async throws {
        let journal = Journal()
        let stage = try await Stage.started {
            $0.decide { request in
                journal.note(request.style.name)
                return .proceed
            }
        }
        try await stage.router.open(Shop.Catalogue(page: 2), as: .modal)
        try await stage.router.open(Shop.Catalogue(page: 2), as: .root)
        #expect(journal.lines == ["root", "modal", "root"])
    }

    private func guarded(_ journal: Journal) async throws -> Stage {
        let stage = guardedStage(journal)
        try await stage.router.start(with: Shop.Catalogue())
        return stage
    }

    private func guardedStage(_ journal: Journal) -> Stage {
        Stage {
            $0.probe(Shop.Account.self, .url("app://account/:owner"))
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
                    return .reject(Shop.Failure())
                default:
                    return .proceed
                }
            }
        }
    }
}

private func url(_ text: String) throws -> URL {
    try #require(URL(string: text))
}

@MainActor
private func snapshot(_ routes: any Route...) -> RouterSnapshot {
    RouterSnapshot(
        entries: routes.map { RouterSnapshot.Entry(route: AnyRoute($0), style: .push) })
}
