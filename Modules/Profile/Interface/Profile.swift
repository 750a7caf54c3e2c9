public import RouterServiceInterface

/// The profiles of users, and the links that they offer.
public enum Profile {}

extension Profile {
    /// Reads and changes the profiles of users on the server.
    @MainActor
    public protocol Service: AnyObject {
        /// A user's profile as it was last read or changed in the current session.
        ///
        /// Observable.
        func known(_ id: String) -> User?

        /// Reads a user's profile from the server.
        ///
        /// - Throws: The error of the server or the connection.
        @discardableResult
        func user(_ id: String) async throws -> User

        /// Changes a user's display name to a text of 1 to ``User/maximumNameLength`` Unicode scalars, without the white space
        /// at its ends.
        ///
        /// - Returns: The profile as the server now has it.
        /// - Throws: The error of the server or the connection.
        func rename(_ id: String, to displayName: String) async throws -> User
    }

    /// The profile of a user on the server.
    public struct User: Hashable, Sendable, Decodable {
        /// The most Unicode scalars of a display name, as the server counts: an emoji may be several.
        public static let maximumNameLength = 40

        /// The identifier, unique on the server.
        public let id: String
        /// The name that others see.
        public private(set) var displayName: String
        public let links: [Link]

        public init(id: String, displayName: String, links: [Link] = []) {
            self.id = id
            self.displayName = displayName
            self.links = links
        }
    }

    /// A link of the server: `{"title": "Profile of bob", "link": "profile.overview|{\"user\":\"bob\"}"}`.
    ///
    /// A server may be newer than the program: a link that this version cannot read keeps its title and has no
    /// route, and the profile around it stays readable.
    public struct Link: Hashable, Sendable, Decodable {
        public let title: String
        /// The destination, or nil if this version does not know it.
        public let route: AnyRoute?

        private enum CodingKeys: CodingKey {
            case title, link
        }

        public init(title: String, route: AnyRoute?) {
            self.title = title
            self.route = route
        }

        /// - Throws: `DecodingError` when the JSON is not an object with a title and a link.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            _ = try container.decode(String.self, forKey: .link)
            route = try? container.decode(AnyRoute.self, forKey: .link)
        }
    }
}
