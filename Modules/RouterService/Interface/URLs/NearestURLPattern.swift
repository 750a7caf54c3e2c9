extension URLTemplate {
    /// How many letters of a URL do not stand for parameters.
    var fixedLength: Int {
        path.reduce(origin.count) { length, segment in
            if case .literal(let text) = segment { length + text.count } else { length }
        }
    }

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
    /// The pattern that a mistyped URL was probably meant for, if one is near: at most a third of the pattern's
    /// letters away.
    ///
    /// A URL of unusual length has none; the work for it would be its sender's choice.
    func nearest(to location: URLLocation) -> URLPattern? {
        let length = location.segments.reduce(location.origin.utf8.count) { $0 + $1.text.utf8.count + 1 }
        guard length <= 256 else { return nil }
        var nearest: (distance: Int, pattern: URLPattern)?
        for rule in self {
            let limit = Swift.min(rule.template.fixedLength / 3, nearest.map { $0.distance - 1 } ?? .max)
            guard let distance = rule.template.distance(to: location, limit: limit) else { continue }
            nearest = (distance, rule.pattern)
        }
        return nearest?.pattern
    }
}
