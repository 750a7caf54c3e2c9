/// The command to perform.
enum Command {
    /// Print the names of the operations.
    case list
    /// Time batches of one operation.
    case measure(String, batches: Int, milliseconds: Int)
    /// Run an operation a number of times, untimed, for a tool that counts instructions.
    case run(String, repetitions: Int)

    static let usage = """
        usage: RouterBenchmark list
               RouterBenchmark measure OPERATION BATCHES MILLISECONDS
               RouterBenchmark run OPERATION REPETITIONS
        `scripts/bench` runs it and makes a table.
        """

    /// Reads the program's arguments; nil where they make no sense.
    init?(_ arguments: [String]) {
        let numbers = arguments.dropFirst(2).map { Int($0) ?? 0 }
        guard numbers.allSatisfy({ $0 > 0 }) else { return nil }
        switch (arguments.first, arguments.count) {
        case ("list", 1): self = .list
        case ("measure", 4): self = .measure(arguments[1], batches: numbers[0], milliseconds: numbers[1])
        case ("run", 3): self = .run(arguments[1], repetitions: numbers[0])
        default: return nil
        }
    }
}
