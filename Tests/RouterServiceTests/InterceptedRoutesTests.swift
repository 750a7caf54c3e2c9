import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Which interceptors decide about a route, and in which order.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct InterceptedRoutesTests {
    private let journal = Journal()

    /// A route that tests mark.
    private protocol Marked: Route {}

    private struct Report: Marked {
        static let identifier = "marked.report"
    }

    /// A module entry with a type of its own for each tag.
    private struct Part<Tag>: Module {
        let registration: @MainActor (Registrar) -> Void

        func register(in registrar: Registrar) { registration(registrar) }
    }

    private enum A {}
    private enum B {}
    private enum C {}

    /// A service of the module with the tag.
    private final class Service<Tag> {}

    @Test func interceptor_decidesAboutItsRoutesOnly() async throws {
        let stage = try await stageWithInterceptors()
        #expect(journal.lines == ["all catalogue", "pages catalogue"])
        try await stage.router.open(Shop.Account())
        try await stage.router.open(Report())
        #expect(
            journal.lines.dropFirst(2) == [
                "all account", "accounts account", "all report", "marked report", "accounts report",
            ])
    }

    @Test func reroutedRoute_isDecidedByItsOwnInterceptors() async throws {
        let stage = try await stageWithInterceptors { registrar, journal in
            registrar.intercept(Shop.Account.self, phase: .confirmation) {
                ProbeInterceptor { _ in .redirect(to: Shop.Catalogue(page: 2)) }
            }
        }
        try await stage.router.open(Shop.Account())
        #expect(
            journal.lines.dropFirst(2) == [
                "all account", "accounts account", "all catalogue", "pages catalogue",
            ])
    }

    @Test func interceptors_areListedForATypeOfRoute_withoutCreatingOne() async throws {
        let stage = try await stageWithInterceptors()
        let before = journal.lines
        func places(_ route: any Route.Type) -> [String] {
            stage.router.interceptors(of: route).map(\.source.place)
        }
        #expect(places(Shop.Account.self) == ["T/all.swift:1", "T/accounts.swift:1"])
        #expect(places(Report.self) == ["T/all.swift:1", "T/marked.swift:1", "T/accounts.swift:1"])
        #expect(places(Shop.Help.self) == ["T/all.swift:1"])
        #expect(journal.lines == before)
    }

    @Test func phases_areInTheOrderOfTheirIntent() async throws {
        let journal = journal
        let stage = Stage { registrar in
            for phase in InterceptionPhase.allCases.reversed() {
                registrar.intercept(.all, phase: phase) {
                    ProbeInterceptor { _ in
                        journal.note("\(phase)")
                        return .proceed
                    }
                }
            }
        }
        try await stage.router.start(with: Shop.Catalogue())
        #expect(journal.lines == ["rules", "access", "confirmation"])
    }

    @Test func withinAPhase_aModuleComesAfterThoseThatItDependsOn_atAnyDistance() throws {
        // A's interceptor depends on A's service, that on B's service, and that on C's, which A resolves later only.
        let router = router(
            Part<A> { registrar in
                registrar.register(Service<A>.self) { (_: Service<B>) in Service<A>() }
                note("a", in: registrar) { (_: Service<A>) in }
            },
            Part<B> { registrar in
                registrar.register(Service<B>.self) { (_: Deferred<Service<C>>) in Service<B>() }
            },
            Part<C> { registrar in
                registrar.register(Service<C>.self) { Service<C>() }
                note("c1", in: registrar) {}
                note("c2", in: registrar) { (_: Service<C>) in }
            })
        #expect(decided(by: router) == ["c1", "c2", "a"])
    }

    @Test func withinAPhase_anInterceptorIsAfterThatOfAModuleWhoseOwnDependencyIsMetFirst() throws {
        // B's interceptor depends on more than its service, by which A meets B.
        let router = router(
            Part<A> { registrar in note("a", in: registrar) { (_: Service<B>) in } },
            Part<B> { registrar in
                registrar.register(Service<B>.self) { Service<B>() }
                note("b", in: registrar) { (_: Service<C>) in }
            },
            Part<C> { registrar in
                registrar.register(Service<C>.self) { Service<C>() }
                note("c", in: registrar) {}
            })
        #expect(decided(by: router) == ["c", "b", "a"])
    }

    @Test func modulesThatDependOnEachOther_orOnNothing_keepTheirOrder() throws {
        let router = router(
            Part<A> { registrar in
                registrar.register(Service<A>.self) { Service<A>() }
                note("a", in: registrar) {}
            },
            Part<B> { registrar in
                registrar.register(Service<B>.self) { (_: Deferred<Service<C>>) in Service<B>() }
                note("b", in: registrar) { (_: Service<C>) in }
            },
            Part<C> { registrar in
                registrar.register(Service<C>.self) { (_: Service<B>) in Service<C>() }
                note("c", in: registrar) { (_: Service<B>) in }
            })
        #expect(decided(by: router).first == "a")
        #expect(decided(by: router).sorted() == ["a", "b", "c"])
        #expect(
            decided(by: self.router(Part<A> { note("a", in: $0) {} }, Part<B> { note("b", in: $0) {} })) == [
                "a", "b",
            ])
    }

    @Test func interceptorThatDecidesAboutNoRegisteredRoute_isAWarning() {
        let stage = Stage { registrar in
            registrar.probe(Report.self)
            let create: @MainActor () -> ProbeInterceptor = { ProbeInterceptor { _ in .proceed } }
            registrar.intercept(.all, by: create)
            registrar.intercept(Shop.Help.self, Report.self, by: create)
            registrar.intercept(.where { $0 is any Marked.Type }, by: create)
            registrar.intercept(Shop.Help.self, Shop.Account.self, fileID: "A/A.swift", line: 4, by: create)
            registrar.intercept(.where { $0 is Shop.Help.Type }, fileID: "A/A.swift", line: 5, by: create)
        }
        let problems = stage.router.validate()
        #expect(
            problems.map(\.description)
                == [4, 5].map {
                    "ProbeInterceptor, registered at A/A.swift:\($0), is used by nothing that is registered. Remove "
                        + "it, or register what uses it, unless the App resolves it directly."
                })
        #expect(problems.map(\.isWarning) == [true, true])
    }

    @Test func replacedModule_bringsItsInterceptors_whichAreCreatedForTheirRoutesOnly() async throws {
        let journal = journal
        func part(_ name: String, for route: any Route.Type) -> Part<A> {
            Part<A> { registrar in
                registrar.intercept(route) {
                    journal.note(name)
                    return ProbeInterceptor { _ in .proceed }
                }
            }
        }
        let shop = TestModule { registrar in
            registrar.register((any Presenter).self, lifetime: .singleton) { HeadlessPresenter() }
            registrar.probe(Shop.Catalogue.self)
            registrar.probe(Shop.Account.self)
        }
        let router = router(shop, part("former", for: Shop.Account.self))
        try await router.start(with: Shop.Catalogue())
        try await router.open(Shop.Account())
        try await router.replace([part("new", for: Shop.Catalogue.self)])
        try await router.open(Shop.Account())
        try await router.open(Shop.Catalogue(page: 2))
        #expect(journal.lines == ["former", "new"])
    }

    /// A stage whose interceptors note that they are created, and for which route.
    private func stageWithInterceptors(
        _ more: @escaping @MainActor (Registrar, Journal) -> Void = { _, _ in }
    ) async throws -> Stage {
        let journal = journal
        return try await Stage.started { registrar in
            func noting(_ name: String) -> @MainActor () -> ProbeInterceptor {
                {
                    ProbeInterceptor { request in
                        journal.note("\(name) \(type(of: request.route).identifier.split(separator: ".")[1])")
                        return .proceed
                    }
                }
            }
            registrar.probe(Shop.Account.self)
            registrar.probe(Report.self)
            registrar.intercept(.all, fileID: "T/all.swift", line: 1, by: noting("all"))
            registrar.intercept(
                .where { $0 is any Marked.Type }, fileID: "T/marked.swift", line: 1, by: noting("marked"))
            registrar.intercept(Shop.Catalogue.self, fileID: "T/pages.swift", line: 1, by: noting("pages"))
            // The same type twice is one.
            registrar.intercept(
                Shop.Account.self, Report.self, Shop.Account.self, fileID: "T/accounts.swift", line: 1,
                by: noting("accounts"))
            more(registrar, journal)
        }
    }

    private func router(_ modules: any Module...) -> RouterService { RouterService(modules: modules) }

    /// Registers an interceptor, whose place is a name, that depends on some services.
    private func note<each Parameter>(
        _ name: String, in registrar: Registrar,
        _ factory: @escaping @MainActor (repeat each Parameter) -> Void
    ) {
        registrar.intercept(.all, fileID: name, line: 1) { (service: repeat each Parameter) in
            factory(repeat each service)
            return ProbeInterceptor { _ in .proceed }
        }
    }

    /// The names of the interceptors of any route, in order.
    private func decided(by router: RouterService) -> [String] {
        router.interceptors(of: Shop.Help.self).map { String($0.source.place.dropLast(2)) }
    }
}
