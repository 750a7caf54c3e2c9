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
    /// Why the program does not follow rules that it could read, in words for the user.
    private(set) var refusal: String?

    /// The most bytes of a configuration.
    private static let maximumBytes = 64 << 10
    /// The most rules of a configuration.
    fileprivate static let maximumRules = 100
    /// The most redirects that follow one another.
    private static let maximumRedirects = 8

    /// A configuration that decides nothing.
    init() {}

    /// Reads the server's text.
    ///
    /// - Throws: ``Message`` where it has not the form of a configuration at all, or is too large.
    init(
        _ json: Data, flags: [any FeatureFlags.AnyFlag], exemptRoutes: [FeatureFlags.ExemptRoute],
        routes: any RouteCatalog
    ) throws {
        guard json.count <= Self.maximumBytes else {
            throw Self.tooLarge(limit: Self.maximumBytes)
        }
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        let document: Document
        do {
            document = try decoder.decode(Document.self, from: json.normalizedJSON)
        } catch {
            throw Message("The server's configuration is ignored: it cannot be read. \(Self.text(error))")
        }
        apply(document.flags ?? [:], declared: flags)
        guard let rules = document.rules else { return }
        guard let attempts = rules.attempts else {
            refuseRules(
                because:
                    "The server's rules are ignored: it sent \(rules.count), more than \(Self.maximumRules).")
            return
        }
        apply(attempts, exempt: Set(exemptRoutes.map { $0.type.identifier }))
        removeCircles()
    }

    /// The error for a configuration of too many bytes.
    static func tooLarge(limit: Int) -> Message {
        Message("The server's configuration is ignored: it has more than \(limit) bytes.")
    }

    /// Follows none of the rules.
    ///
    /// - Parameter reason: The reason in words for the user; nil if the user was notified before.
    mutating func refuseRules(because reason: String?) {
        (rules, refusal) = ([:], reason)
        if let reason { problems.append(reason) }
    }

    /// Whether a rule redirects one route to another.
    func redirects(_ route: AnyRoute, to other: AnyRoute) -> Bool {
        if case .redirect(let target) = rules[type(of: route.route).identifier] {
            AnyRoute(target) == other
        } else {
            false
        }
    }

    private mutating func apply(_ values: [String: Attempt<Value>], declared: [any FeatureFlags.AnyFlag]) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let flag = declared.first(where: { $0.name == name }) else {
                problems.append("The flag '\(name.prefix(80))' is unknown.")
                continue
            }
            if case .success(let value) = value.result, flag.accepts(value.content) {
                flags[name] = value
            } else {
                problems.append("The value of the flag '\(name)' has the wrong type.")
            }
        }
    }

    private mutating func apply(_ attempts: [Attempt<Rule>], exempt: Set<String>) {
        for (index, attempt) in attempts.enumerated() {
            do {
                let rule = try attempt.result.get()
                let identifiers = [rule.route] + [rule.decision.destination].compactMap(\.self)
                if let identifier = identifiers.first(where: exempt.contains) {
                    throw Message("No rule may be about '\(identifier)', or lead to it.")
                }
                guard rules.updateValue(rule.decision, forKey: rule.route) == nil else {
                    throw Message("It replaces another rule for '\(rule.route)'.")
                }
            } catch {
                problems.append("Rule \(index + 1): \(Self.text(error))")
            }
        }
    }

    /// Removes the rules whose redirects lead in a circle, or on and on.
    ///
    /// What is between two redirects, as a fallback or an action, is known only to the router.
    private mutating func removeCircles() {
        for route in rules.keys.sorted() {
            var (next, count) = (rules[route]?.destination, 0)
            while let identifier = next, count <= Self.maximumRedirects {
                next = identifier == route ? identifier : rules[identifier]?.destination
                count += 1
            }
            guard next != nil else { continue }
            let reason =
                "The rule for '\(route)' is one of a circle, or of more than \(Self.maximumRedirects) redirects."
            problems.append(reason)
            refusal = refusal ?? "Some of the server's rules are ignored. \(reason)"
            rules[route] = nil
        }
    }

    /// The names of the flags whose values differ.
    func changes(from other: Configuration) -> [String] {
        Set(flags.keys).union(other.flags.keys).filter { flags[$0] != other.flags[$0] }.sorted()
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

extension Interception {
    /// The identifier of the route to which a redirect leads.
    fileprivate var destination: String? {
        if case .redirect(let route) = self { type(of: route).identifier } else { nil }
    }
}

/// An error with a description of its own: the words of the server, or the reason why its own are ignored.
struct Message: LocalizedError {
    let errorDescription: String?

    init(_ description: String) { errorDescription = description }
}

/// The server's text: every value and every rule is read separately, so that one mistake costs no other.
private struct Document: Decodable {
    let flags: [String: Attempt<Configuration.Value>]?
    let rules: Rules?
}

private struct Rules: Decodable {
    let count: Int
    /// The rules; nil where they are too many.
    let attempts: [Attempt<Rule>]?

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        count = container.count ?? 0
        guard count <= Configuration.maximumRules else {
            attempts = nil
            return
        }
        var attempts: [Attempt<Rule>] = []
        while !container.isAtEnd { attempts.append(try container.decode(Attempt<Rule>.self)) }
        self.attempts = attempts
    }
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
        guard !route.contains("|") else {
            throw Message("'route' has to be an identifier without values.")
        }
        do {
            _ = try container.decode(AnyRoute.self, forKey: .route)
        } catch DecodingError.keyNotFound {
            // The route is known, and has values without which it cannot be read.
        }
        let link = try container.decodeIfPresent(AnyRoute.self, forKey: .redirect)
        let message = try container.decodeIfPresent(String.self, forKey: .reject)
        switch (link, message) {
        case (let link?, nil): decision = .redirect(to: link.route)
        case (nil, let message?) where (1...200).contains(message.count):
            decision = .reject(FeatureFlags.Rejection(message))
        case (nil, _?): throw Message("The text of 'reject' must have from 1 to 200 characters.")
        default: throw Message("It needs either 'redirect' or 'reject'.")
        }
    }
}
