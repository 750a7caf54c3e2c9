public import RouterServiceInterface

/// The decisions of the server about the program: values of flags, and rules for routes.
public enum FeatureFlags {}

extension FeatureFlags {
    /// A flag of any type.
    ///
    /// A module contributes each of its flags; a server's value for another one is ignored:
    /// `registrar.contribute((any FeatureFlags.AnyFlag).self) { Profile.editing }`.
    public protocol AnyFlag: Sendable {
        /// The name, unique in a program.
        var name: String { get }

        /// Whether a value is of the flag's type.
        func accepts(_ value: any Sendable) -> Bool
    }

    /// A name under which the server may decide a value, and the value for as long as it does not.
    ///
    /// A module declares its flags beside the code that asks them:
    /// `static let editing = FeatureFlags.Flag("profile.editing", default: true)`.
    public struct Flag<Value: Sendable>: AnyFlag {
        /// The name, unique in a program; begins with the name of the module that asks.
        public let name: String
        /// The value where the server decides none.
        public let defaultValue: Value

        private init(name: String, defaultValue: Value) {
            (self.name, self.defaultValue) = (name, defaultValue)
        }

        /// Creates a flag that is on or off.
        public init(_ name: String, default value: Bool) where Value == Bool {
            self.init(name: name, defaultValue: value)
        }

        /// Creates a flag with a text.
        public init(_ name: String, default value: String) where Value == String {
            self.init(name: name, defaultValue: value)
        }

        /// Whether a value is of the flag's type.
        public func accepts(_ value: any Sendable) -> Bool { value is Value }
    }

    /// A value that stands for a flag whatever the server decides, for this run of the program.
    ///
    /// The program contributes those that its user asks for.
    public struct Override: Sendable {
        /// The name of the flag.
        public let name: String
        /// The text of the value.
        public let text: String

        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }

        /// What the text may stand for: a text, and for a flag that is on or off what `true` and `false` say.
        public var values: [any Sendable] { [text] + (Bool(text).map { [$0] } ?? []) }
    }

    /// The present values of flags.
    @MainActor
    public protocol Values: AnyObject {
        /// The value of a flag: that of an ``Override``, otherwise the server's last one, otherwise the default.
        ///
        /// Observable.
        subscript<Value>(flag: Flag<Value>) -> Value { get }
    }

    /// The server changed the values of flags.
    public struct Changed: Event {
        /// The names of the flags, in alphabetical order.
        public let names: [String]

        public init(names: [String]) { self.names = names }
    }
}
