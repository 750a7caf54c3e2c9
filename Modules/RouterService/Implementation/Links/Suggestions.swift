import RouterServiceInterface

// Suggestions for mistyped identifiers and URLs.

/// The fewest letters to insert, delete or change to make one text of another (Levenshtein distance).
///
/// Where it is more than the limit, the result is nil. The work is spared where the lengths alone show that, because a
/// text may be as long as its sender likes.
func editDistance(from source: some StringProtocol, to target: some StringProtocol, limit: Int) -> Int? {
    // Counting bytes is free, counting letters is not; no letter in use takes 64 bytes.
    guard source.utf8.count <= 64 * (target.utf8.count + limit + 1) else { return nil }
    let source = Array(source)
    let target = Array(target)
    guard abs(source.count - target.count) <= limit else { return nil }
    var row = Array(0...target.count)
    for (i, letter) in source.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in target.enumerated() {
            let substitution = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[target.count] <= limit ? row[target.count] : nil
}

/// The name with the fewest edits to a mistyped one, if one is near: at most a third of its letters away.
func nearestName(to name: Substring, among names: some Sequence<Substring>) -> Substring? {
    var nearest: (distance: Int, name: Substring)?
    for candidate in names {
        let limit = max(2, candidate.count / 3)
        guard let distance = editDistance(from: name, to: candidate, limit: limit) else { continue }
        if nearest.map({ (distance, candidate) < $0 }) ?? true { nearest = (distance, candidate) }
    }
    return nearest?.name
}

extension URLMatcher {
    /// The pattern that a mistyped URL was probably meant for, if one is near: at most a third of the pattern's
    /// letters away.
    ///
    /// A URL of unusual length has none; the work for it would be its sender's choice. One without a scheme is compared
    /// with the part after the pattern's.
    func nearestPattern(to url: String) -> URLPattern? {
        guard url.utf8.count <= 256 else { return nil }
        var nearest: (distance: Int, pattern: URLPattern)?
        for rule in rules {
            let scheme = rule.template.origin.prefix { $0 != ":" }
            guard let pieces = URLPieces(url) ?? URLPieces("\(scheme)://\(url.drop { $0 == "/" })") else {
                continue
            }
            let limit = min(rule.template.fixedLength / 3, nearest.map { $0.distance - 1 } ?? .max)
            let path = pieces.segments.map { "/\($0.text)" }.joined()
            guard
                let distance = editDistance(
                    from: pieces.origin + path, to: rule.template.text(with: pieces.segments), limit: limit)
            else { continue }
            nearest = (distance, rule.pattern)
        }
        return nearest?.pattern
    }
}

extension URLTemplate {
    /// The number of letters of a URL that do not stand for parameters.
    fileprivate var fixedLength: Int {
        path.reduce(origin.count) { length, segment in
            if case .literal(let text) = segment { length + text.count } else { length }
        }
    }

    /// A URL with the parameters of another one, by their places in the path.
    fileprivate func text(with segments: [EncodedText]) -> String {
        path.enumerated().reduce(into: String(origin)) { text, part in
            switch part.element {
            case .literal(let literal): text += "/" + literal
            case .parameter: text += "/" + (part.offset < segments.count ? segments[part.offset].text : "")
            }
        }
    }
}
