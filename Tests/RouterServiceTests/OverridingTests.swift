import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// Of several handlers for one route or one identifier, one is said to win.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OverridingTests {
    /// A route of another module with the account's identifier.
    private struct NewAccount: Route {
        static let identifier = "shop.account"
        var owner = "new"
    }

    private struct OlderAccount: Route { static let identifier = "shop.account" }

    private let journal = Journal()

    @Test(arguments: [true, false])
    func handlerThatIsSaidToWin_winsInAnyOrder(isFirst: Bool) async throws {
        let handlers: [@MainActor (Registrar) -> Void] = [
            { handle(Shop.Count.self, as: "winner", isOverriding: true, in: $0) },
            { handle(Shop.Count.self, as: "other", in: $0) },
        ]
        let stage = try await Stage.started { registrar in
            for handler in isFirst ? handlers : handlers.reversed() { handler(registrar) }
        }
        try await stage.router.open(Shop.Count())
        #expect(journal.lines == ["winner"])
        #expect(stage.router.validate().isEmpty)
        #expect(stage.router.routes.filter { $0.identifier == "shop.count" }.count == 1)
    }

    @Test(arguments: [0, 1, 2])
    func handlerThatIsSaidToWin_settlesTheConflictOfOthers(place: Int) async throws {
        let stage = try await Stage.started { registrar in
            for number in 0...2 {
                if number == place {
                    handle(Shop.Count.self, as: "winner", isOverriding: true, in: registrar)
                } else {
                    handle(Shop.Count.self, as: "other", in: registrar)
                }
            }
        }
        try await stage.router.open(Shop.Count())
        #expect(journal.lines == ["winner"])
        #expect(stage.router.validate().isEmpty)
    }

    @Test(arguments: [0, 1, 2])
    func routeThatIsSaidToWin_settlesTheConflictOfOthers(place: Int) throws {
        var registrations: [@MainActor (Registrar) -> Void] = [
            { $0.probe(OlderAccount.self) }, { $0.probe(Shop.Account.self) },
        ]
        registrations.insert({ $0.probe(NewAccount.self, .overriding) }, at: place)
        let stage = Stage { [registrations] registrar in
            for registration in registrations { registration(registrar) }
        }
        let link = try AnyRoute(#"shop.account|{"owner":"bob"}"#, in: stage.router.catalog)
        #expect(link == AnyRoute(NewAccount(owner: "bob")))
        #expect(stage.router.validate().isEmpty)
    }

    @Test func handlersOfWhichNoneIsSaidToWin_throwAndNameBothPlaces() async throws {
        let stage = try await Stage.started {
            handle(Shop.Count.self, as: "first", at: SourcePlace(fileID: "A/A.swift", line: 1), in: $0)
            handle(Shop.Count.self, as: "second", at: SourcePlace(fileID: "B/B.swift", line: 2), in: $0)
        }
        await #expect {
            try await stage.router.open(Shop.Count())
        } throws: { error in
            "\(error)".hasPrefix(
                "Shop.Count has two handlers, registered at A/A.swift:1 and at B/B.swift:2. Remove one of the two, or "
                    + "mark the one that wins as '.overriding'.")
        }
        #expect(journal.lines.isEmpty)
        #expect(stage.router.validate().map { Failure($0) } == [.duplicateHandler])
    }

    @Test func handlersThatBothAreSaidToWin_throw() async throws {
        let stage = try await Stage.started {
            handle(Shop.Count.self, as: "first", isOverriding: true, in: $0)
            handle(Shop.Count.self, as: "second", isOverriding: true, in: $0)
        }
        #expect(await failure { try await stage.router.open(Shop.Count()) } == .duplicateHandler)
    }

    @Test(arguments: [true, false])
    func routeThatIsSaidToWin_ownsTheIdentifierInAnyOrder(isFirst: Bool) async throws {
        let handlers: [@MainActor (Registrar) -> Void] = [
            { $0.probe(NewAccount.self, .overriding) }, { $0.probe(Shop.Account.self) },
        ]
        let stage = try await Stage.started { registrar in
            for handler in isFirst ? handlers : handlers.reversed() { handler(registrar) }
        }
        let link = try AnyRoute(#"shop.account|{"owner":"bob"}"#, in: stage.router.catalog)
        #expect(link == AnyRoute(NewAccount(owner: "bob")))
        #expect(stage.router.validate().isEmpty)
        try await stage.router.open(Shop.Account())
        #expect(stage.shown?.last == AnyRoute(Shop.Account()), "the other one still opens by its type")
    }

    @Test func routesOfOneIdentifier_areAProblemThatNamesBoth() throws {
        let stage = Stage {
            $0.probe(NewAccount.self)
            $0.probe(Shop.Account.self)
        }
        #expect(
            stage.router.validate().map(\.description) == [
                "OverridingTests.NewAccount, registered at T/T.swift:1, and Shop.Account, at T/T.swift:1, have the same "
                    + "identifier or alias 'shop.account'. Change one of the two, or mark the handler that wins as "
                    + "'.overriding'."
            ])
        let link = try AnyRoute("shop.account|{\"owner\":\"bob\"}", in: stage.router.catalog)
        #expect(link == AnyRoute(NewAccount(owner: "bob")), "the first counts")
    }

    @Test func alias_opensLinksOfOlderVersions() async throws {
        let stage = try await Stage.started {
            $0.probe(Shop.Account.self, .alias("account"), .alias("shop.user"))
        }
        for identifier in ["account", "shop.user", "shop.account"] {
            let link = try AnyRoute(identifier + #"|{"owner":"bob"}"#, in: stage.router.catalog)
            #expect(try link.link == #"shop.account|{"owner":"bob"}"#)
        }
        #expect(
            stage.router.routes.first { $0.name == TypeName(Shop.Account.self) }?.aliases == [
                "account", "shop.user",
            ])
    }

    private func handle(
        _ route: Shop.Count.Type, as name: String, isOverriding: Bool = false,
        at place: SourcePlace = SourcePlace(fileID: "T/T.swift", line: 1), in registrar: Registrar
    ) {
        let journal = journal
        let factory: @MainActor () throws -> ProbeAction<Shop.Count> = {
            ProbeAction<Shop.Count> { _ in
                journal.note(name)
                return 1
            }
        }
        if isOverriding {
            registrar.action(route, .overriding, fileID: place.fileID, line: place.line, by: factory)
        } else {
            registrar.action(route, fileID: place.fileID, line: place.line, by: factory)
        }
    }
}
