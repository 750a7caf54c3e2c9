/// A value that names a destination, carries what the destination needs, and says what its caller gets back.
///
/// Routes are declared in interfaces, so that a module can lead to another one without knowing how it works.
/// They are `Codable` because a backend, a URL or a restored session may send them.
public protocol Route: Codable, Hashable, Sendable {
    /// What the caller receives when the destination finishes; `Void` when nothing comes back.
    associatedtype Output: Sendable = Void

    /// The name under which the route travels in links, unique in a program, for example `"profile.overview"`.
    static var identifier: String { get }
}
