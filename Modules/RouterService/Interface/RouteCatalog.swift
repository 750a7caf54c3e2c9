public import Foundation

/// Which identifier stands for which type of route; what a decoder needs to read links.
///
/// The router registers its own catalog as a service of type `RouteCatalog`.
public struct RouteCatalog: Sendable {
    private let types: [Substring: any Route.Type]

    /// Creates a catalog of routes, in which the first of two types with one identifier counts.
    public init(_ types: [any Route.Type]) {
        let pairs = types.map { ($0.identifier[...], $0) }
        self.types = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The type that an identifier stands for.
    func type(for identifier: Substring) -> (any Route.Type)? {
        types[identifier]
    }

    /// The known identifier with the fewest edits (Levenshtein distance) to a mistyped one, if one is near:
    /// at most a third of its letters away.
    func nearestIdentifier(to identifier: Substring) -> String? {
        let letters = Array(identifier)
        return types.keys
            .compactMap { name -> (distance: Int, name: String)? in
                let limit = max(2, name.count / 3)
                // Spares the work for a name that is too long or too short anyway, which a sender may choose.
                guard abs(name.count - letters.count) <= limit else { return nil }
                let distance = distance(from: letters, to: Array(name))
                return distance <= limit ? (distance, String(name)) : nil
            }
            .min { $0 < $1 }?
            .name
    }

    private func distance(from source: [Character], to target: [Character]) -> Int {
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
        return row[target.count]
    }
}

extension JSONDecoder {
    /// The routes that links in the decoded document may lead to; ``AnyRoute`` cannot be decoded without.
    public var routeCatalog: RouteCatalog? {
        get { CodingUserInfoKey.routeCatalog.flatMap { userInfo[$0] as? RouteCatalog } }
        set { CodingUserInfoKey.routeCatalog.map { userInfo[$0] = newValue } }
    }
}

extension Decoder {
    /// The catalog that the decoder was given, if any.
    var routeCatalog: RouteCatalog? {
        CodingUserInfoKey.routeCatalog.flatMap { userInfo[$0] as? RouteCatalog }
    }
}

extension CodingUserInfoKey {
    fileprivate static let routeCatalog = CodingUserInfoKey(rawValue: "RouterService.routeCatalog")
}
