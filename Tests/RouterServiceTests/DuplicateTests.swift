import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// Two handlers of one route, or two routes of one identifier.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DuplicateTests {
    /// A route of another module with the account's identifier.
    private struct NewAccount: Route {
        static let identifier = "shop.account"
        var owner = "new"
    }

    private let journal = Journal()

    @Test func handlersOfOneRoute_throwAndNameBothPlaces() async throws {
        let stage = try await Stage.started {
            handle(as: "first", at: SourcePlace(fileID: "A/A.swift", line: 1), in: $0)
            handle(as: "second", at: SourcePlace(fileID: "B/B.swift", line: 2), in: $0)
        }
        await #expect {
            try await stage.router.open(Shop.Count())
        } throws: { error in
            "\(error)".hasPrefix(
                "Shop.Count has two handlers, registered at A/A.swift:1 and at B/B.swift:2. Remove one of the two."
            )
        }
        #expect(journal.lines.isEmpty)
        #expect(stage.router.validate().map { Failure($0) } == [.duplicateHandler])
    }

    @Test func routesOfOneIdentifier_areAProblemThatNamesBoth() throws {
        let stage = Stage {
            $0.probe(NewAccount.self)
            $0.probe(Shop.Account.self)
        }
        #expect(
            stage.router.validate().map(\.description) == [
                "DuplicateTests.NewAccount, registered at T/T.swift:1, and Shop.Account, at T/T.swift:1, have the same "
                    + "identifier or alias 'shop.account'. Change one of the two."
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

    private func handle(as name: String, at place: SourcePlace, in registrar: Registrar) {
        let journal = journal
        registrar.action(Shop.Count.self, fileID: place.fileID, line: place.line) {
            ProbeAction<Shop.Count> { _ in
                journal.note(name)
                return 1
            }
        }
    }
}
