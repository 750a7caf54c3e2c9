import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// Conditions that a registration declares are asked before anything is created.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AvailabilityTests {
    @MainActor
    private final class Flags {
        var hasAccounts = false
    }

    private let flags = Flags()
    private let journal = Journal()

    private func stage(_ option: @escaping @MainActor (Registrar) -> Void = { _ in }) async throws -> Stage {
        let (flags, journal) = (flags, journal)
        return try await Stage.started { registrar in
            registrar.register(Flags.self, lifetime: .singleton) { flags }
            registrar.register((any Shop.Clock).self) {
                journal.note("clock")
                return Shop.FakeClock()
            }
            registrar.route(
                Shop.Account.self, .available { (flags: Flags) in flags.hasAccounts },
                .fallback { _ in Shop.Help() }
            ) { (clock: any Shop.Clock) in
                journal.note("feature")
                return ProbeFeature<Shop.Account>()
            }
            registrar.probe(Shop.Help.self)
            option(registrar)
        }
    }

    @Test func featureThatIsSwitchedOff_isNotCreatedAndLeadsToItsFallback() async throws {
        let stage = try await stage()
        try await stage.router.open(Shop.Account())
        #expect(stage.shown?.last == AnyRoute(Shop.Help()))
        #expect(journal.lines.isEmpty)
        flags.hasAccounts = true
        try await stage.router.open(Shop.Account())
        #expect(stage.shown?.last == AnyRoute(Shop.Account()))
        #expect(journal.lines == ["clock", "feature"])
    }

    @Test func everyConditionOfAnAction_hasToHold() async throws {
        let journal = journal
        let stage = try await stage { registrar in
            registrar.action(
                Shop.Count.self, .available { true }, .available { (flags: Flags) in flags.hasAccounts }
            ) {
                ProbeAction<Shop.Count> { _ in
                    journal.note("counted")
                    return 1
                }
            }
        }
        #expect(await failure { try await stage.router.result(of: Shop.Count()) } == .disabled)
        flags.hasAccounts = true
        #expect(try await stage.router.result(of: Shop.Count()) == 1)
        #expect(journal.lines == ["counted"])
    }

    @Test func whatAConditionDependsOn_isValidatedAndUsed() async throws {
        let stage = Stage {
            $0.register(Flags.self, by: Flags.init)
            $0.route(
                Shop.Help.self, .available { (flags: Flags, clock: any Shop.Clock) in flags.hasAccounts }
            ) {
                ProbeFeature<Shop.Help>()
            }
        }
        #expect(stage.router.validate().map { Failure($0) } == [.missingService])
        try await stage.router.start(with: Shop.Catalogue())
        await #expect {
            try await stage.router.open(Shop.Help())
        } throws: { error in
            "\(error)".contains("Shop.Help → ProbeFeature<Shop.Help> → any Shop.Clock")
        }
    }

    @Test func cancelledOpening_createsNothing() async throws {
        let gate = Gate()
        flags.hasAccounts = true
        let stage = try await stage { registrar in
            registrar.decide { request in
                if request.route is Shop.Account { await gate.pass() }
                return .proceed
            }
        }
        let opening = Caller { try await stage.router.open(Shop.Account()) }
        await gate.arrival()
        opening.task.cancel()
        gate.open()
        #expect(await failure { try await opening.output } == .cancellation)
        #expect(journal.lines.isEmpty)
    }
}
