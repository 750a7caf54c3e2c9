import FeatureFlagsInterface
import Foundation
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
    /// - Throws: ``Message`` where the text is too large, or is no configuration.
    init(_ json: Data, routes: any RouteCatalog) throws {
        guard json.count <= Self.maximumBytes else {
            throw Message(
                "The server's configuration is ignored: it has more than \(Self.maximumBytes) bytes.")
        }
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        let document: Document
        do {
            document = try decoder.decode(Document.self, from: json.normalizedJSON)
        } catch {
            throw Message("The server's configuration is ignored: \(Self.text(error))")
        }
        for (name, value) in (document.flags ?? [:]).sorted(by: { $0.key < $1.key }) {
            flags[name] = read(value, named: "The flag '\(name.prefix(80))'")
        }
        for (index, rule) in (document.rules ?? []).enumerated() {
            if let rule = read(rule, named: "Rule \(index + 1)") { rules[rule.route] = rule.decision }
        }
    }

    private mutating func read<Value>(_ attempt: Attempt<Value>, named name: String) -> Value? {
        do { return try attempt.result.get() } catch {
            problems.append("\(name) is ignored: \(Self.text(error))")
            return nil
        }
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "'\(key.stringValue)' is missing."
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            context.debugDescription
        default: errorMessage(of: error)
        }
    }
}

/// An error with a description of its own.
struct Message: LocalizedError {
    let errorDescription: String?

    init(_ description: String) { errorDescription = description }
}

/// The server's text: every value and every rule is read separately, so that one mistake costs no other.
private struct Document: Decodable {
    let flags: [String: Attempt<Configuration.Value>]?
    let rules: [Attempt<Rule>]?
}

private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) { result = Result { try Value(from: decoder) } }
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
        default: throw Message("It needs either 'redirect' or 'reject'.")
        }
    }
}
