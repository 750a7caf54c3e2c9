import RouterServiceInterface

/// The fewest letters to insert, delete or change to make one text of another; nil where they are more than the limit.
func editDistance(from source: some StringProtocol, to target: some StringProtocol, limit: Int) -> Int? {
    // A sender chooses the length of a text: bytes are compared before letters are counted, which takes longer.
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

/// The name that is nearest to a mistyped name: at most a third of its letters away.
func nearestName(to name: Substring, among names: some Sequence<Substring>) -> Substring? {
    names.sorted().compactMap { candidate in
        editDistance(from: name, to: candidate, limit: max(2, candidate.count / 3)).map { ($0, candidate) }
    }.min { $0.0 < $1.0 }?.1
}

extension Addresses {
    /// The pattern that is nearest to a mistyped URL, at most half of the letters behind the scheme away; nil for a long URL, whose
    /// sender would choose the work.
    func nearestPattern(to url: String) -> String? {
        guard url.utf8.count <= 256 else { return nil }
        return templates.compactMap { template -> (distance: Int, pattern: String)? in
            let scheme = template.origin.prefix { $0 != ":" }
            guard let pieces = URLPieces(url) ?? URLPieces("\(scheme)://\(url.drop { $0 == "/" })") else {
                return nil
            }
            let path = pieces.segments.map { "/\($0.text)" }.joined()
            return editDistance(
                from: pieces.origin + path, to: template.text(with: pieces.segments),
                limit: template.text(with: []).dropFirst("\(scheme)://".count).count / 2
            ).map { ($0, template.pattern) }
        }.min { $0.distance < $1.distance }?.pattern
    }
}

extension URLTemplate {
    /// The pattern's path, with the segments of a URL as parameters.
    fileprivate func text(with segments: [EncodedText]) -> String {
        path.enumerated().reduce(into: String(origin)) { text, part in
            switch part.element {
            case .literal(let literal): text += "/" + literal
            case .parameter: text += "/" + (part.offset < segments.count ? segments[part.offset].text : "")
            }
        }
    }
}
