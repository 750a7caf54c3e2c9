public import NotesInterface
public import Observation
public import RouterServiceInterface

/// An author whom a test signs in and out.
@Observable
@MainActor
public final class FakeAuthor: Notes.RequiredAuthor {
    /// The identifier of the user who is signed in.
    public var id: Identifier?
    /// The tokens that the server did not accept.
    public private(set) var expired: [String] = []

    /// Creates an author who is signed in, or none.
    public init(_ id: Identifier? = nil) { self.id = id }

    /// A token for the author.
    public var token: String? { id.map { "token of \($0)" } }

    /// Signs the author out.
    public func expire(token: String) {
        expired.append(token)
        id = nil
    }
}
