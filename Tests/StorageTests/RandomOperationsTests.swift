import Foundation
import RouterServiceInterface
import StorageInterface
import Testing

@testable import StorageImplementation

/// A store does what a dictionary does, however often it is reopened.
///
/// A failure names the seed of its sequence; `STORAGE_SEED=<seed>` runs that one alone, `STORAGE_SEQUENCES=<count>` more of
/// them.
@Suite(.timeLimit(.minutes(5)))
struct RandomOperationsTests {
    private static let seeds: Range<Int> = {
        let seed = number(fromEnvironment: "STORAGE_SEED", otherwise: -1)
        return seed < 0 ? 0..<number(fromEnvironment: "STORAGE_SEQUENCES", otherwise: 20) : seed..<(seed + 1)
    }()

    @Test func anySequence_leavesWhatADictionaryHolds() async throws {
        for seed in Self.seeds {
            let folder = try TestFolder()
            var random = SeededNumbers(state: UInt64(seed))
            var expected: [Identifier: Int] = [:]
            var store: LogStore? = nil
            for step in 0..<60 {
                // Small logs are compacted too, so that it happens often.
                let open = try store ?? LogStore(in: folder.path, minimumCompaction: 300)
                store = Bool.random(using: &random) ? open : nil
                let changes = changes(using: &random)
                let fails = Int.random(in: 0..<8, using: &random) == 0
                let result: Void? = try? await open.transaction { values in
                    for (name, value) in changes {
                        switch (name, value) {
                        case (nil, _): values.removeAll()
                        case (let name?, let value?): try values.set(value, for: number(name))
                        case (let name?, nil): values.removeValue(for: number(name))
                        }
                    }
                    if fails { throw CancellationError() }
                }
                for (name, value) in fails ? [] : changes {
                    if let name { expected[name] = value } else { expected = [:] }
                }
                guard (result == nil) == fails, try open.values.numbers == expected,
                    open.values.damage.isEmpty
                else {
                    Issue.record("STORAGE_SEED=\(seed): wrong after step \(step)")
                    return
                }
            }
        }
    }

    /// The changes of a transaction: a name and its value, no value to remove it, neither to remove everything.
    private func changes(using random: inout SeededNumbers) -> [(name: Identifier?, value: Int?)] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            let name: Identifier = "name \(Int.random(in: 0..<12, using: &random))"
            return switch Int.random(in: 0..<40, using: &random) {
            case 0: (nil, nil)
            case 1..<10: (name, nil)
            default: (name, Int.random(in: .min ... .max, using: &random))
            }
        }
    }
}
