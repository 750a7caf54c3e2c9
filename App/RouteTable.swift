import Foundation
import RouterServiceImplementation

/// Routes as a table to read: a heading and a line for each, without the columns that would be empty.
struct RouteTable {
    let text: String

    init(_ routes: [RegisteredRoute]) {
        let columns: [(heading: String, cells: [String])] = [
            ("identifier", routes.map(\.identifier)),
            ("kind", routes.map(\.kind.rawValue)),
            ("route", routes.map(\.route)),
            ("module", routes.map(\.module)),
            ("URLs", routes.map { $0.urls.joined(separator: ", ") }),
            ("aliases", routes.map { $0.aliases.joined(separator: ", ") }),
            ("deprecated", routes.map { $0.deprecation ?? "" }),
        ]
        let padded = columns.filter { !$0.cells.allSatisfy(\.isEmpty) }.map { heading, cells in
            let width = ([heading] + cells).map(\.count).max() ?? 0
            return ([heading] + cells).map { $0.padding(toLength: width, withPad: " ", startingAt: 0) }
        }
        text = (0...routes.count)
            .map { line in
                padded.map { $0[line] }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
            }
            .joined(separator: "\n")
    }
}
