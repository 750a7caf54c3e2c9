import RouterServiceInterface
import RouterServiceProgram

/// The routes that identifiers and URLs lead to.
///
/// A trie over the segments of paths, with a root for each scheme and host, finds the pattern of a URL in a time that does not
/// depend on the number of patterns.
final class Addresses: Sendable {
    /// Malformed and conflicting identifiers and URL patterns.
    let problems: [GraphProblem]
    let types: [String: any Route.Type]
    /// The patterns that can match, in the order of the registrations.
    let templates: [URLTemplate]
    let templatesByType: [ObjectIdentifier: [URLTemplate]]
    private let trie: Trie

    /// Reads the identifiers and the URL patterns of routes; of two that conflict, the earlier one stays.
    @MainActor
    init(_ routes: [RouteRegistration]) {
        var owners: [String: RouteRegistration] = [:]
        var problems: [GraphProblem] = []
        let named = routes.filter { route in
            let (name, place) = (route.identifier, route.source.place)
            if name.isEmpty || name.contains("|") {
                problems.append(GraphProblem(.invalidIdentifier(name), of: [route.name], at: [place]))
                return false
            }
            guard let first = owners[name] else {
                owners[name] = route
                return true
            }
            problems.append(
                GraphProblem(
                    .duplicateIdentifier(name), of: [first.name, route.name],
                    at: [first.source.place, place]))
            return false
        }
        var trie = Trie()
        var templates: [URLTemplate] = []
        for route in named {
            for pattern in route.urls {
                do throws(URLMistake) {
                    let template = try URLTemplate(pattern, of: route.type)
                    if let first = trie.insert(template, as: templates.count) {
                        let earlier = TypeKey(templates[first].type)
                        let problem =
                            "matches the same URLs as an earlier one of \(earlier). Change or remove one of the two."
                        problems.append(
                            GraphProblem(.invalidPattern(pattern, problem), of: [route.name, earlier]))
                    } else {
                        templates.append(template)
                    }
                } catch {
                    let problem =
                        "matches nothing: \(error.reason). Write it like 'app://profile/:userID?tab'."
                    problems.append(GraphProblem(.invalidPattern(pattern, problem), of: [route.name]))
                }
            }
        }
        self.problems = problems
        types = owners.mapValues(\.type)
        self.templates = templates
        templatesByType = Dictionary(grouping: templates) { ObjectIdentifier($0.type) }
        self.trie = trie
    }

    func template(for pieces: URLPieces) -> URLTemplate? { trie.number(for: pieces).map { templates[$0] } }
}

private struct Trie: Sendable {
    private struct Node: Sendable {
        var literals: [Substring: Int] = [:]
        var parameter: Int?
        var end: Int?
    }

    private var roots: [Substring: Int] = [:]
    private var nodes: [Node] = []

    func number(for pieces: URLPieces) -> Int? {
        guard let root = roots[pieces.origin] else { return nil }
        return number(for: pieces, from: 0, below: root)
    }

    private func number(for pieces: URLPieces, from index: Int, below number: Int) -> Int? {
        let node = nodes[number]
        guard index < pieces.segments.count else { return node.end }
        let segment = pieces.segments[index]
        if let next = segment.decoded.flatMap({ node.literals[$0] }),
            let found = self.number(for: pieces, from: index + 1, below: next)
        {
            return found
        }
        guard let next = node.parameter, segment.canStandInPath else { return nil }
        return self.number(for: pieces, from: index + 1, below: next)
    }

    /// Adds the number of a pattern at the end of its path, or returns the number that is there.
    mutating func insert(_ template: URLTemplate, as number: Int) -> Int? {
        var node = roots[template.origin] ?? addNode()
        roots[template.origin] = node
        for segment in template.path {
            switch segment {
            case .literal(let text):
                let next = nodes[node].literals[text] ?? addNode()
                nodes[node].literals[text] = next
                node = next
            case .parameter:
                let next = nodes[node].parameter ?? addNode()
                nodes[node].parameter = next
                node = next
            }
        }
        if let first = nodes[node].end { return first }
        nodes[node].end = number
        return nil
    }

    private mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }
}
