/// Finds the pattern for a URL in a time that does not depend on how many patterns there are.
///
/// A trie over the segments of the paths, below one root for each scheme and host. A URL visits a node at most once,
/// and at most two for each choice between a text and a parameter.
struct URLIndex: Sendable {
    private struct Node: Sendable {
        var literals: [Substring: Int] = [:]
        var parameter: Int?
        /// The rule whose path ends here.
        var end: Int?
        /// The rule that takes all the segments that remain.
        var rest: Int?
    }

    private var roots: [Substring: Int] = [:]
    private var nodes: [Node] = []

    /// Adds a rule by its number.
    ///
    /// - Returns: The number of the rule that matches the same URLs; it stays, and the new one is not added.
    mutating func insert(_ template: URLTemplate, as rule: Int) -> Int? {
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
            case .rest:
                if let first = nodes[node].rest { return first }
                nodes[node].rest = rule
                return nil
            }
        }
        if let first = nodes[node].end { return first }
        nodes[node].end = rule
        return nil
    }

    /// The number of the most specific rule that matches.
    func rule(for location: URLLocation) -> Int? {
        guard let root = roots[location.origin] else { return nil }
        return rule(for: location, from: 0, below: root)
    }

    /// Goes as deep as the trie, which the length of patterns limits, whatever the length of the URL.
    private func rule(for location: URLLocation, from index: Int, below number: Int) -> Int? {
        let node = nodes[number]
        guard index < location.segments.count else { return node.end ?? node.rest }
        let segment = location.segments[index]
        if let next = segment.decoded.flatMap({ node.literals[$0] }),
            let rule = rule(for: location, from: index + 1, below: next)
        {
            return rule
        }
        if let next = node.parameter, segment.canStandInPath,
            let rule = rule(for: location, from: index + 1, below: next)
        {
            return rule
        }
        return index > location.lastUnusable ? node.rest : nil
    }

    private mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }
}
