import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import RouterServiceInterface

/// The server's decisions about flags and routes, and the reasons why some of them are ignored.
struct Configuration: Sendable {
    /// The value of a flag.
    enum Value: Hashable, Sendable {
        case bool(Bool)
        case text(String)

        var content: any Sendable {
            switch self {
            case .bool(let value): value
            case .text(let value): value
            }
        }
    }

    /// The values of flags, by name.
    private(set) var flags: [String: Value] = [:]
    /// The rules, by the identifier of their route.
    private(set) var rules: [String: Interception] = [:]
    /// The ignored parts, each with the reason.
    private(set) var problems: [String] = []

    /// The most bytes of a configuration.
    private static let maximumBytes = 64 << 10

    /// A configuration that decides nothing.
    init() {}

    /// Reads the server's text.
    ///
    /// - Throws: `HTTP.Failure` where the text is too large, or is no configuration.
    init(_ json: Data, routes: any RouteCatalog) throws(HTTP.Failure) {
        guard json.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        self = try HTTP.Response(status: 200, body: json).decoded(as: Self.self, routes: routes)
    }
}

// Every value and every rule is read separately, so that one mistake costs no other.
extension Configuration: Decodable {
    private enum CodingKeys: CodingKey {
        case flags, rules
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let flags = try container.decodeIfPresent([String: HTTP.Part<Value>].self, forKey: .flags)
        for (name, value) in (flags ?? [:]).sorted(by: { $0.key < $1.key }) { self.flags[name] = take(value) }
        let rules = try container.decodeIfPresent([HTTP.Part<Rule>].self, forKey: .rules)
        for part in rules ?? [] {
            if let rule = take(part) { self.rules[rule.route] = rule.decision }
        }
    }

    private mutating func take<Part: Decodable & Sendable>(_ part: HTTP.Part<Part>) -> Part? {
        if let failure = part.failure { problems.append(errorMessage(of: failure)) }
        return try? part.result.get()
    }
}

extension Configuration.Value: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try (try? .bool(container.decode(Bool.self))) ?? .text(container.decode(String.self))
    }
}

private struct Rule: Decodable {
    let route: String
    let decision: Interception

    private enum CodingKeys: CodingKey {
        case route, redirect, reject
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        route = try container.decode(String.self, forKey: .route)
        let link = try container.decodeIfPresent(AnyRoute.self, forKey: .redirect)
        let message = try container.decodeIfPresent(String.self, forKey: .reject)
        switch (link, message) {
        case (let link?, nil): decision = .redirect(to: link.route)
        case (nil, let message?): decision = .reject(FeatureFlags.Rejection(message))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .redirect, in: container,
                debugDescription: "a rule needs either 'redirect' or 'reject'.")
        }
    }
}
