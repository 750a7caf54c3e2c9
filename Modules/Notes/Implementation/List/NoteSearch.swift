import Foundation
import NotesInterface

/// Finds notes whose title or text contains some words, ignoring case.
///
/// The searched text is prepared once for each note, so that ten thousand are searched while the user types.
struct NoteSearch {
    private var prepared: [UUID: (note: Notes.Note, words: [UInt8])] = [:]

    /// Returns the entries that contain each word of a query, in the order given.
    mutating func entries(matching query: String, among entries: [Notes.Entry]) -> [Notes.Entry] {
        let words = query.split(whereSeparator: \.isWhitespace).map { Array($0.lowercased().utf8) }
        guard !words.isEmpty else { return entries }
        let former = prepared
        prepared = [:]
        prepared.reserveCapacity(entries.count)
        return entries.filter { entry in
            let text: [UInt8]
            if let known = former[entry.id], known.note == entry.note {
                text = known.words
            } else {
                text = Array("\(entry.note.title)\n\(entry.note.text)".lowercased().utf8)
            }
            prepared[entry.id] = (entry.note, text)
            return words.allSatisfy { Self.contains(text, $0) }
        }
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= text.count else { return false }
        for start in 0...(text.count - word.count) where text[start] == first {
            var length = 1
            while length < word.count, text[start + length] == word[length] { length += 1 }
            if length == word.count { return true }
        }
        return false
    }
}
