public import RouterServiceInterface

extension Profile {
    /// Reads and changes what the server knows of users.
    @MainActor
    public protocol Service: AnyObject {
        /// A user's profile as it was last read or changed in the present session.
        ///
        /// Observable.
        func known(_ id: String) -> User?

        /// Reads a user's profile from the server.
        ///
        /// - Throws: What the server or the connection said.
        @discardableResult
        func user(_ id: String) async throws -> User

        /// Changes a user's display name, which has 1 to ``User/longestName`` Unicode scalars and no white space at its
        /// ends.
        ///
        /// - Returns: The profile as the server now has it.
        /// - Throws: What the server or the connection said.
        func rename(_ id: String, to displayName: String) async throws -> User
    }

    /// What the server knows of a user.
    public struct User: Hashable, Sendable, Decodable {
        /// How many Unicode scalars a display name has at most, as the server counts: an emoji may be several.
        public static let longestName = 40

        /// The identifier, unique on the server.
        public let id: String
        /// The name that others see.
        public let displayName: String
        /// Where the server lets a user go from this profile.
        public let links: [Link]

        /// Creates a user.
        public init(id: String, displayName: String, links: [Link] = []) {
            self.id = id
            self.displayName = displayName
            self.links = links
        }
    }

    /// A way that the server offers: `{"title": "Profile of bob", "link": "profile.overview|{\"user\":\"bob\"}"}`.
    ///
    /// A server may be newer than the program: a link that this version cannot read keeps its title and has no
    /// route, and the profile around it stays readable.
    public struct Link: Hashable, Sendable, Decodable {
        /// Where it leads, in words.
        public let title: String
        /// Where it leads, or nil when this version does not know.
        public let route: AnyRoute?

        private enum CodingKeys: CodingKey {
            case title, link
        }

        /// Creates a link.
        public init(title: String, route: AnyRoute?) { (self.title, self.route) = (title, route) }

        /// Reads a link.
        ///
        /// - Throws: `DecodingError` when it is not an object with a title and a link.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            _ = try container.decode(String.self, forKey: .link)
            route = try? container.decode(AnyRoute.self, forKey: .link)
        }
    }
}
