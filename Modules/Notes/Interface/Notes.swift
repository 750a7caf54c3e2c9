public import Foundation

/// The notes of a user: kept here, and synchronised with the server.
public enum Notes {}

extension Notes {
    /// A note that a user wrote.
    public struct Note: Identifiable, Hashable, Sendable, Codable {
        public let id: UUID
        /// The title, one line.
        public var title: String
        /// The text, of any number of lines.
        public var text: String
        /// The time at which the note was saved last.
        public var changed: Date
        /// The server's version from which the note was made; nil for a note that the server has not had.
        public var version: String?

        public init(
            id: UUID = UUID(), title: String, text: String, changed: Date = .now, version: String? = nil
        ) {
            self.id = id
            self.title = title
            self.text = text
            self.changed = changed
            self.version = version
        }
    }
}
