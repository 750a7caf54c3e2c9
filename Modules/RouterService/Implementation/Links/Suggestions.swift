import RouterServiceInterface

// Suggestions for mistyped identifiers, URLs and types.

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

/// The type that a mistyped one was probably meant for: of those whose own name is near, whatever is around it, the
/// one whose full name is nearest; for a protocol, a concrete type that is named after it.
///
/// The name has to do, because whether a type conforms to a protocol that is known only when the program runs cannot be
/// asked without an instance.
func nearestType(to type: TypeName, among types: some Sequence<TypeName>) -> TypeName? {
    let name = type.description
    func ownName(_ name: String) -> Substring {
        name[(name.lastIndex { ". ".contains($0) }.map(name.index(after:)) ?? name.startIndex)...]
    }
    let near = types.compactMap { candidate -> (distance: Int, type: TypeName)? in
        let other = candidate.description
        let own = CollectionOfOne(ownName(other))
        guard nearestName(to: ownName(name), among: own) != nil else { return nil }
        return (editDistance(from: name, to: other, limit: name.count + other.count) ?? 0, candidate)
    }.min { $0.distance < $1.distance }?.type
    let own = ownName(name)
    guard near == nil, name.hasPrefix("any "), own.count > 3 else { return near }
    return types.first { candidate in
        let other = candidate.description
        return !other.hasPrefix("any ") && (ownName(other).hasSuffix(own) || ownName(other).hasPrefix(own))
    }
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
