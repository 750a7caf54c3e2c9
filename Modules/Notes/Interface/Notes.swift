public import Foundation

/// The notes of a user: kept here, and synchronised with the server.
public enum Notes {}

extension Notes {
    /// A note that a user wrote.
    public struct Note: Identifiable, Hashable, Sendable, Codable {
        /// The identifier, which the program that creates the note makes.
        public let id: UUID
        /// The title, one line.
        public var title: String
        /// The text, of any number of lines.
        public var text: String
        /// The time at which it was saved last.
        public var changed: Date
        /// The server's version that it was made from; nil for a note that the server has not had.
        public var version: String?

        public init(
            id: UUID = UUID(), title: String, text: String, changed: Date = .now, version: String? = nil
        ) {
            self.id = id
            self.title = title
            self.text = text
            (self.changed, self.version) = (changed, version)
        }
    }
}
