extension URLTemplate {
    /// How many letters of a URL must be changed for this pattern to match, its parameters apart; nil where it is
    /// more than a limit.
    func distance(to location: URLLocation, limit: Int) -> Int? {
        guard var distance = editDistance(from: location.origin, to: origin, limit: limit) else { return nil }
        var segments = location.segments[...]
        for part in path {
            switch (part, segments.popFirst()) {
            case (.rest, _): return distance
            case (.parameter, .some): break
            case (.parameter, nil): distance += 1
            case (.literal(let text), let segment):
                let left = limit - distance
                guard let edits = editDistance(from: segment?.text ?? "", to: text, limit: left) else {
                    return nil
                }
                distance += edits
            }
            guard distance <= limit else { return nil }
        }
        for segment in segments {
            distance += max(1, segment.text.utf8.count)
            guard distance <= limit else { return nil }
        }
        return distance
    }
}

extension Sequence<URLRule> {
    /// The pattern that a mistyped URL was probably meant for, if one is near: at most a third of its letters away.
    ///
    /// A URL of unusual length has none; the work for it would be its sender's choice.
    func nearest(to location: URLLocation) -> URLPattern? {
        let length = location.segments.reduce(location.origin.utf8.count) { $0 + $1.text.utf8.count + 1 }
        guard length <= 256 else { return nil }
        var limit = Swift.max(2, length / 3)
        var nearest: URLPattern?
        for rule in self {
            guard let distance = rule.template.distance(to: location, limit: limit) else { continue }
            nearest = rule.pattern
            limit = distance - 1
        }
        return nearest
    }
}
