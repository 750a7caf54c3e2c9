import Foundation

/// Reads a given number of generated inputs: `SEED FIRST COUNT PROGRESS EXAMPLES`, called by `scripts/fuzz`.
///
/// The number of the input that is being read stands in the progress file, so that the launcher can name it when the
/// program ends by a trap, or by the alarm that rings where one input takes too long.
@main
struct BoundedRun {
    static let secondsForAnInput: UInt32 = 5
    static let secondsForAll = 1_800

    @MainActor
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let seed = UInt64(arguments[1]), let first = Int(arguments[2]),
            let count = Int(arguments[3]), let progress = FileHandle(forWritingAtPath: arguments[4])
        else { fail("called with wrong arguments", status: 64) }
        // One example in each line.
        let examples = try String(contentsOfFile: arguments[5], encoding: .utf8).split(separator: "\n")
        let generator = Generator(seed: seed, examples: examples.map { Array($0.utf8) })
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
            guard end - start < .seconds(secondsForAll) else {
                fail(
                    "stopped after \(number - first + 1) inputs, after the limit of \(secondsForAll) seconds",
                    status: 1)
            }
        }
        alarm(0)
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
        withUnsafeBytes(of: number.littleEndian) { bytes in
            _ = pwrite(progress.fileDescriptor, bytes.baseAddress, bytes.count, 0)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("scripts/fuzz: \(message)\n".utf8))
        exit(status)
    }

    private static func max<Value>(_ left: Value, _ right: Value, by isLess: (Value, Value) -> Bool) -> Value
    {
        isLess(left, right) ? right : left
    }
}
