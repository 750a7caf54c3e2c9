import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// After any steps in any order, the router's stack and the presenter's are equal, each caller that awaits a
/// result is resumed exactly once, typed text stays on its screen, and embedded screens end with their parent.
///
/// A failure names the seed of its sequence; `ROUTER_SEED=<seed>` runs that one alone, and `ROUTER_SEQUENCES=<count>` more
/// or fewer of them, as `scripts/test --slow` does.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RandomSequenceTests {
    private static let seeds: Range<UInt64> = {
        func number(_ name: String) -> UInt64? {
            ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
        }
        return number("ROUTER_SEED").map { $0..<($0 + 1) } ?? 0..<(number("ROUTER_SEQUENCES") ?? 1_000)
    }()

    @Test func anySequence_keepsBothStacksEqualAndResumesEachCallerOnce() async {
        for seed in Self.seeds {
            guard let flaw = await flaw(ofSequenceFrom: seed) else { continue }
            Issue.record("ROUTER_SEED=\(seed): \(flaw)")
            return
        }
    }

    /// Runs one sequence.
    ///
    /// - Returns: The flaw, and the steps that led to it.
    private func flaw(ofSequenceFrom seed: UInt64) async -> String? {
        let sequence = RandomSequence(seed: seed)
        await sequence.start()
        for _ in 0..<12 {
            sequence.step()
            // Sometimes the next step comes before the last one has led anywhere.
            if sequence.randomly(0.3) { continue }
            if let flaw = await lastingFlaw(of: sequence, flaw) { return flaw }
        }
        await sequence.end()
        return await lastingFlaw(of: sequence) { flaw(of: $0) ?? flawAtTheEnd(of: $0) }
    }

    /// The flaw that remains when everything has come to rest.
    private func lastingFlaw(
        of sequence: RandomSequence, _ check: @MainActor (RandomSequence) -> String?
    ) async -> String? {
        // Far more than is needed: on a busy machine, awaited work may be slow to begin.
        let end = ContinuousClock.now + .seconds(30)
        repeat {
            await settled(rounds: 3)
            if check(sequence) == nil { return nil }
        } while ContinuousClock.now < end
        return check(sequence).map { "\($0), after \(sequence.steps.joined(separator: ", "))" }
    }

    private func flaw(of sequence: RandomSequence) -> String? {
        let presented = sequence.presenter.stack
        let entries = sequence.router.snapshot(including: .file).entries
        let routes = presented.map { ($0.screen as? any RouteProbe)?.anyRoute }
        if routes != entries.map(\.route) || sequence.presenter.styles != entries.map(\.style) {
            return "the router has \(entries.map(\.route)), and the presenter \(routes)"
        }
        if presented.map(\.presentation.isRoot) != presented.indices.map({ $0 == 0 }) {
            return "the first screen and no other is the root"
        }
        return flaw(ofStatesIn: sequence, entries)
            ?? sequence.waits.lazy.compactMap { self.flaw(of: $0, among: entries) }.first
    }

    /// Edits outlive the replacement of the module, and are in a snapshot where that may hold them.
    private func flaw(ofStatesIn sequence: RandomSequence, _ entries: [RouterSnapshot.Entry]) -> String? {
        for (shown, entry) in zip(sequence.presenter.stack, entries) {
            guard let model = (shown.screen as? RandomScreen)?.model else { continue }
            if model.isMixedUp { return "\(model.number) has the state of another stop" }
            if let edits = sequence.edits[shown.presentation.id], model.edits != edits {
                return "\(model.number) has \(model.edits) of \(edits) edits"
            }
            let isStored = model.edits > 0 && !(model is SecretModel)
            if isStored != (entry.state != nil) {
                return "\(model.number) is stored as \(entry.state?.json ?? "nothing")"
            }
        }
        return nil
    }

    /// A caller that was not resumed waits for a screen that exists; one with an output received its own.
    private func flaw(of wait: RandomSequence.Wait, among entries: [RouterSnapshot.Entry]) -> String? {
        switch wait.outcomes.count {
        case 0:
            let stops = entries.compactMap { $0.route.route as? RandomStop }
            let isThere = stops.contains { abs($0.number) == wait.number }
            return isThere ? nil : "\(wait.number) waits for a screen that is gone"
        case 1:
            guard case .success(let output) = wait.outcomes[0], output != wait.number else { return nil }
            return "\(wait.number) received \(output)"
        default:
            return "\(wait.number) was resumed \(wait.outcomes.count) times"
        }
    }

    private func flawAtTheEnd(of sequence: RandomSequence) -> String? {
        if let waiting = sequence.waits.first(where: { $0.outcomes.count != 1 }) {
            return "\(waiting.number) was resumed \(waiting.outcomes.count) times at the end"
        }
        if let embedding = sequence.embeddings.first(where: { $0.embedded?.presentation.isEnded == false }) {
            return "\(embedding.number) is still embedded in a screen that is gone"
        }
        return sequence.presenter.stack.count == 1 ? nil : "more than the last screen is left"
    }
}
