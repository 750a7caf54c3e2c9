public import Foundation

/// What a decoder carries for the links in its document: the routes, and itself.
///
/// A link's own JSON is then read by the same decoder, with the strategies that its owner chose. The reference is
/// weak, for the decoder holds this object.
final class LinkDecoding: Sendable {
    /// How many links may stand in one another.
    ///
    /// Each takes its share of the stack, and the sender of a document would choose the number.
    static let maximumDepth = 8
    /// How many links are being read around the one that is being read.
    @TaskLocal static var depth = 0

    private static let key = CodingUserInfoKey(rawValue: "RouterService.routeCatalog")

    let catalog: RouteCatalog
    private weak let owner: JSONDecoder?

    init(catalog: RouteCatalog, decoder: JSONDecoder?) {
        self.catalog = catalog
        owner = decoder
    }

    /// What a decoder carries, found in its `userInfo`.
    static func carried(by userInfo: [CodingUserInfoKey: Any]) -> LinkDecoding? {
        key.flatMap { userInfo[$0] as? LinkDecoding }
    }

    // The same, for converting the dictionary to the other type would cost more than looking up.
    fileprivate static func carried(by decoder: JSONDecoder) -> LinkDecoding? {
        key.flatMap { decoder.userInfo[$0] as? LinkDecoding }
    }

    /// A `userInfo` that carries this and nothing else.
    var userInfo: [CodingUserInfoKey: Any] {
        Self.key.map { [$0: self] } ?? [:]
    }

    /// The decoder for a link's own JSON.
    ///
    /// Where `userInfo` was copied to another decoder, and the first one has gone or been given other routes, it is
    /// one with Foundation's strategies.
    var decoder: JSONDecoder {
        if let owner, Self.carried(by: owner) === self { return owner }
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        return decoder
    }

    fileprivate static func set(_ catalog: RouteCatalog?, for decoder: JSONDecoder) {
        guard let key else { return }
        decoder.userInfo[key] = catalog.map { LinkDecoding(catalog: $0, decoder: decoder) }
    }
}

extension JSONDecoder {
    /// The routes that links in the decoded document may lead to; ``AnyRoute`` cannot be decoded without.
    ///
    /// Set it on each decoder: a copy of `userInfo` takes the routes to another decoder, but the JSON in a string link
    /// is read with the strategies of the decoder on which they were set.
    public var routeCatalog: RouteCatalog? {
        get { LinkDecoding.carried(by: self)?.catalog }
        set { LinkDecoding.set(newValue, for: self) }
    }
}
