public import RouterServiceInterface

extension Profile {
    /// Reads and changes what the server knows of people.
    @MainActor
    public protocol Service: AnyObject {
        /// A person's profile as it was last read or changed in the present session.
        ///
        /// Observable.
        func known(_ id: String) -> User?

        /// Reads a person's profile from the server.
        ///
        /// - Throws: What the server or the connection said.
        @discardableResult
        func user(_ id: String) async throws -> User

        /// Changes a person's display name, which has 1 to 40 characters.
        ///
        /// - Returns: The profile as the server now has it.
        /// - Throws: What the server or the connection said.
        func rename(_ id: String, to displayName: String) async throws -> User
    }

    /// What the server knows of a person.
    public struct User: Hashable, Sendable, Decodable {
        /// The identifier, unique on the server.
        public let id: String
        /// The name that others see.
        public let displayName: String
        /// Where the server lets a person go from this profile.
        public let links: [Link]

        /// Creates a user.
        public init(id: String, displayName: String, links: [Link] = []) {
            self.id = id
            self.displayName = displayName
            self.links = links
        }
    }

    /// A way that the server offers, as `identifier|{json}`.
    ///
    /// A server may be newer than the program: a link that this version cannot read keeps its text and has no
    /// route, and the profile around it stays readable.
    public struct Link: Hashable, Sendable, Decodable {
        /// The link as the server sent it.
        public let text: String
        /// Where it leads, or nil when this version does not know.
        public let route: AnyRoute?

        /// Creates a link.
        public init(text: String, route: AnyRoute?) {
            self.text = text
            self.route = route
        }

        /// Reads a link from a string.
        ///
        /// - Throws: `DecodingError` when it is not a string.
        public init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            route = try? AnyRoute(from: decoder)
        }
    }
}
