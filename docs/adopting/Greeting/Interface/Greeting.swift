public import RouterServiceInterface

/// Greetings, and how to greet.
public enum Greeting {}

extension Greeting {
    /// Leads to the greeting of a user.
    public struct Card: Route {
        /// `greeting.card` in links.
        public static let identifier = "greeting.card"

        /// The name of the user.
        public let name: String

        public init(name: String) { self.name = name }
    }

    /// Greets users in words.
    @MainActor
    public protocol Phrases: AnyObject {
        /// The words for a user of a name.
        func phrase(for name: String) -> String
    }
}
