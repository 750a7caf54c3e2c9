public import Foundation
public import RouterServiceInterface

/// The decisions of the server about the program: values of flags, and rules for routes.
public enum FeatureFlags {}

extension FeatureFlags {
    /// A name under which the server may decide a value, and the value until the server decides one.
    ///
    /// A module declares its flags beside the code that reads them:
    /// `static let editing = FeatureFlags.Flag("profile.editing", default: true)`.
    public struct Flag<Value: Sendable>: Sendable {
        /// The name, which begins with the name of the module.
        public let name: String
        public let defaultValue: Value

        /// Creates a flag that is on or off.
        public init(_ name: String, default value: Bool) where Value == Bool {
            self.name = name
            defaultValue = value
        }

        /// Creates a flag with a text.
        public init(_ name: String, default value: String) where Value == String {
            self.name = name
            defaultValue = value
        }
    }

    /// The current values of flags.
    @MainActor
    public protocol Values: AnyObject {
        /// The server's last value of a flag, or the default where the server decided none, or one of another type.
        ///
        /// Observable.
        subscript<Value>(flag: Flag<Value>) -> Value { get }
    }
}

extension FeatureFlags {
    /// The values may be out of date, so that they are fetched; broadcast by the App when it has started or continues.
    public struct Outdated: Event {
        public init() {}
    }

    /// The error of a route that the server rejects, with the server's reason.
    public struct Rejection: LocalizedError {
        public let errorDescription: String?

        public init(_ reason: String) { errorDescription = reason }
    }
}
