import Foundation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@testable import RouterServiceImplementation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Services that depend on one another in a chain, however long: errors are thrown, and no stack overflows.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LongChainTests {
    @Test func chainOfTheGreatestDepth_isCreated() throws {
        let router = RouterService(modules: [LongChain(count: Container.maximumDepth)])
        _ = try router.resolve(LongChain.First.self)
    }

    @Test func longerChain_throwsAndNamesItsLengthAndBothEnds() async throws {
        let router = RouterService(modules: [LongChain(count: Container.maximumDepth + 1)])
        #expect {
            try router.resolve(LongChain.First.self)
        } throws: { error in
            guard case RouterError.tooDeep(let path) = error else { return false }
            return path.count == Container.maximumDepth + 1 && path.first == TypeKey(LongChain.First.self)
                && "\(error)".hasPrefix("\(Container.maximumDepth) services depend on one another in a chain")
        }
        // The limit holds for one resolution, not for the router.
        #expect(await failure { try router.resolve(LongChain.First.self) } == .tooDeep)
    }

    @Test func chainThatWasBegunAtItsEnd_hasNoLimit() throws {
        let router = RouterService(modules: [LongChain(count: Container.maximumDepth + 50)])
        _ = try router.resolve(
            LongChain.Link<LongChain.Zero, LongChain.One, LongChain.Zero, LongChain.Zero>.self)
        _ = try router.resolve(LongChain.First.self)
    }

    // The stack of a main thread on Linux grows up to the limit that holds at that moment.
    @Test func deepestChain_andChecksOfTheLongest_fitIntoAStackOf512KB() async {
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                var limit = rlimit()
                try #require(getrlimit(3, &limit) == 0)  // RLIMIT_STACK
                limit.rlim_cur = 512 * 1024
                try #require(setrlimit(3, &limit) == 0)
                let deepest = RouterService(modules: [LongChain(count: Container.maximumDepth)])
                _ = try deepest.resolve(LongChain.First.self)
                let long = RouterService(modules: [LongChain(count: 10_000)])
                try #require(long.validate().count == 2)
            }
            let prepared = await RouterService(modules: [LongChain(count: 10_000, endsAsynchronously: true)])
            try await prepared.prepare()
        }
    }

    @Test(arguments: [Lifetime.singleton, .transient, .weak])
    func validation_ofTheLongestChain_isQuick(lifetime: Lifetime) {
        let scope = Scope("shop.session")
        func problems(_ count: Int) -> (problems: [GraphProblem], time: Duration) {
            let router = RouterService(modules: [
                TestModule {
                    $0.register((any Presenter).self, lifetime: .singleton) { HeadlessPresenter() }
                    $0.register(String.self, lifetime: .scope(scope)) { "" }
                    $0.register(Int.self, lifetime: .singleton) { (first: LongChain.First, text: String) in 1
                    }
                },
                LongChain(count: count, lifetime: lifetime),
            ])
            let start = processorTime()
            let problems = router.validate()
            return (problems, processorTime() - start)
        }
        // The first time, the runtime writes the names of all types.
        _ = problems(2_000)
        let (few, many) = (problems(200), problems(2_000))
        #expect(many.problems.map { Failure($0) } == [.outlivesDependency, .unused])
        #expect(few.problems.map { Failure($0) } == many.problems.map { Failure($0) })
        // Ten times as long; a quadratic check would take a hundred times.
        #expect(many.time < few.time * 40, "\(few.time) and \(many.time)")
    }
}
