/// The fewest letters to insert, delete or change to make one text of another (Levenshtein distance).
///
/// Where it is more than the limit, the result is nil. The work is spared where the lengths alone show that, for a
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

extension StringProtocol {
    /// The text in quotation marks for a message, cut where it is long, for its sender may have made it so.
    var quoted: String {
        let longest = 80
        let start = prefix(longest)
        return start.endIndex < endIndex ? "'\(start)…'" : "'\(start)'"
    }
}
