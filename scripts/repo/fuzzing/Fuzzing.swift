import Foundation

/// Reads generated inputs: `Fuzzing [COUNT [SEED [FIRST]]]`, by default 200,000 of a new seed from the first one on.
///
/// A finding ends the program: a trap, an input that takes more than five seconds, an error of the wrong kind, or a route
/// that is different after it was written and read back. The number of the input that is being read stands in a file,
/// which a trap leaves.
@main
struct Fuzzing {
    static let secondsForAnInput: UInt32 = 5

    @MainActor
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().map(UInt64.init)
        guard numbers.count <= 3, !numbers.contains(nil) else {
            fail("usage: Fuzzing [COUNT [SEED [FIRST]]]")
        }
        let given = numbers.compactMap { $0 }
        let count = given.first.map(Int.init(clamping:)) ?? 200_000
        let seed = given.dropFirst().first ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let first = given.dropFirst(2).first.map(Int.init(clamping:)) ?? 0
        let file = FileManager.default.temporaryDirectory.appending(path: "fuzzing-\(getpid())")
        try Data().write(to: file)
        let progress = try FileHandle(forWritingTo: file)
        print("Seed \(seed); the number of the input that is being read is in \(file.path).")
        // One example in each line.
        let text = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "examples.txt"),
            encoding: .utf8)
        let generator = Generator(seed: seed, examples: text.split(separator: "\n").map { Array($0.utf8) })
        let attempt = try Attempt()
        let clock = ContinuousClock()
        let start = clock.now
        var total = Outcome()
        var worst = (time: Duration.zero, number: first)
        for number in first..<first + count {
            let input = generator.input(number)
            record(number, in: progress)
            alarm(secondsForAnInput)
            let begin = clock.now
            do {
                let outcome = try attempt.run(input)
                total.accepted += outcome.accepted
                total.refused += outcome.refused
            } catch {
                print("Input \(number) of seed \(seed): \((error as? Violation)?.message ?? "\(error)")")
                exit(1)
            }
            let end = clock.now
            worst = max(worst, (end - begin, number)) { $0.time < $1.time }
        }
        alarm(0)
        try FileManager.default.removeItem(at: file)
        print(
            """
            \(count) inputs of seed \(seed) in \(seconds(clock.now - start)) s.
            Read as a link, a JSON document and a URL: \(total.accepted) accepted, \(total.refused) refused.
            The longest took \(seconds(worst.time)) s: input \(worst.number).
            """)
    }

    private static func seconds(_ time: Duration) -> String {
        (time / .seconds(1)).formatted(.number.precision(.fractionLength(3)).grouping(.never))
    }

    private static func record(_ number: Int, in progress: FileHandle) {
        let digits = Array("\(number)\n".utf8)
        _ = pwrite(progress.fileDescriptor, digits, digits.count, 0)
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(64)
    }

    private static func max<Value>(_ left: Value, _ right: Value, by isLess: (Value, Value) -> Bool) -> Value
    {
        isLess(left, right) ? right : left
    }
}
