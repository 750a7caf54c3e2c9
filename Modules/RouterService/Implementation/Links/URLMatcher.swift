import RouterServiceInterface
import RouterServiceProgram

/// One declared pattern and the route that it opens.
struct URLRule: Sendable {
    let pattern: URLPattern
    let template: URLTemplate
    let type: any Route.Type
}

/// Finds the pattern for a URL in a time that does not depend on how many patterns there are.
///
/// A trie over the segments of the paths, below one root for each scheme and host. A URL visits a node at most once,
/// and at most two for each choice between a text and a parameter.
struct URLMatcher: Sendable {
    private struct Node: Sendable {
        var literals: [Identifier: Int] = [:]
        var parameter: Int?
        /// The rule whose path ends here.
        var end: Int?
    }

    /// The patterns that can match, in the order in which they were added.
    private(set) var rules: [URLRule] = []
    private(set) var rulesByType: [ObjectIdentifier: [URLRule]] = [:]
    private var roots: [Substring: Int] = [:]
    private var nodes: [Node] = []

    /// Adds a pattern; of two that match the same URLs, the first stays.
    ///
    /// - Throws: A problem of the kind `invalidPattern`; nothing is added then.
    mutating func add(_ pattern: URLPattern, for type: any Route.Type) throws(GraphProblem) {
        let template: URLTemplate
        do {
            template = try URLTemplate(pattern)
        } catch {
            let problem = "matches nothing: \(error.reason). Write it like 'app://profile/:userID?tab'."
            throw GraphProblem(.invalidPattern(pattern, problem), of: [TypeName(type)])
        }
        if let first = insert(template, as: rules.count) {
            let earlier = TypeName(rules[first].type)
            let problem =
                "matches the same URLs as an earlier one of \(earlier). Change or remove one of the two."
            throw GraphProblem(.invalidPattern(pattern, problem), of: [TypeName(type), earlier])
        }
        let rule = URLRule(pattern: pattern, template: template, type: type)
        rules.append(rule)
        rulesByType[ObjectIdentifier(type), default: []].append(rule)
    }

    /// The most specific rule that matches.
    func rule(for pieces: URLPieces) -> URLRule? {
        guard let root = roots[pieces.origin] else { return nil }
        return rule(for: pieces, from: 0, below: root).map { rules[$0] }
    }

    /// Goes as deep as the trie, which the length of patterns limits, whatever the length of the URL.
    private func rule(for pieces: URLPieces, from index: Int, below number: Int) -> Int? {
        let node = nodes[number]
        guard index < pieces.segments.count else { return node.end }
        let segment = pieces.segments[index]
        if let next = segment.decoded.flatMap({ node.literals[Identifier(String($0))] }),
            let rule = rule(for: pieces, from: index + 1, below: next)
        {
            return rule
        }
        guard let next = node.parameter, segment.canStandInPath else { return nil }
        return rule(for: pieces, from: index + 1, below: next)
    }

    /// Enters a rule's number at the end of its path.
    ///
    /// - Returns: The number of the rule that stands there already.
    private mutating func insert(_ template: URLTemplate, as rule: Int) -> Int? {
        var node = roots[template.origin] ?? addNode()
        roots[template.origin] = node
        for segment in template.path {
            switch segment {
            case .literal(let text):
                let next = nodes[node].literals[Identifier(String(text))] ?? addNode()
                nodes[node].literals[Identifier(String(text))] = next
                node = next
            case .parameter:
                let next = nodes[node].parameter ?? addNode()
                nodes[node].parameter = next
                node = next
            }
        }
        if let first = nodes[node].end { return first }
        nodes[node].end = rule
        return nil
    }

    private mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }
}
