import Foundation

/// The times of a release and of a debug build as a table, and whether the bars hold.
struct Report {
    let text: String
    let holds: Bool

    /// The most that the largest number of rows may take, as a multiple of the smallest.
    private static let growth = 1.25

    /// Reads files with a record in each line.
    init(release: String, debug: String) throws {
        let (release, debug) = (try Self.records(in: release), try Self.records(in: debug))
        var lines = [
            "| operation | median | worst | bars | holds | debug: median | worst |",
            "| --- | ---: | ---: | ---: | --- | ---: | ---: |",
        ]
        var holds = true
        for operation in Operation.all {
            guard let times = release[operation.name] else { continue }
            let bar = operation.bar
            let isKept = times.median <= bar.median && times.worst <= bar.worst
            holds = holds && isKept
            var cells = [
                operation.name, Self.text(times.median), Self.text(times.worst),
                "\(Int(bar.median)) and \(Int(bar.worst)) ms", isKept ? "yes" : "no",
            ]
            cells += debug[operation.name].map { [Self.text($0.median), Self.text($0.worst)] } ?? ["", ""]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        if let few = release["rows-10"], let many = release["rows-100000"] {
            let isKept = many.median <= Self.growth * few.median
            holds = holds && isKept
            let ratio = String(format: "×%.2f", many.median / few.median)
            lines.append(
                "| rows-100000 ÷ rows-10 | \(ratio) | | ×\(Self.growth) | \(isKept ? "yes" : "no") | | |")
        }
        (text, self.holds) = (lines.joined(separator: "\n"), holds)
    }

    private struct Times {
        let median, worst: Double

        init(_ records: [Samples]) {
            let times = records.flatMap(\.nanosecondsPerOperation).map { $0 / 1e6 }.sorted()
            (median, worst) = (times[times.count / 2], times[times.count - 1])
        }
    }

    private static func records(in path: String) throws -> [String: Times] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let records = try lines.map { try JSONDecoder().decode(Samples.self, from: Data($0.utf8)) }
        return Dictionary(grouping: records, by: \.operation).mapValues(Times.init)
    }

    private static func text(_ milliseconds: Double) -> String { String(format: "%.2f ms", milliseconds) }
}
