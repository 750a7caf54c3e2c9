public import Foundation

/// What a test looked for and a screen does not show.
public enum ContentInspectionError: Error, Equatable {
    /// No button and no row of this title; `choices` are the titles that exist.
    case noChoice(title: String, choices: [String])
    /// No field of this label; `labels` are those that exist.
    case noField(label: String, labels: [String])
    /// A field in which Enter only moves on.
    case submitsNothing(label: String)
    /// A screen that is no `Display.ContentScreen`.
    case noContent(screen: String)
}

extension ContentInspectionError: LocalizedError, CustomStringConvertible {
    /// What was looked for and what exists.
    public var errorDescription: String? { description }

    /// What was looked for and what exists.
    public var description: String {
        switch self {
        case .noChoice(let title, let choices):
            "There is no button or row '\(title)'. There are: \(list(choices))."
        case .noField(let label, let labels):
            "There is no field '\(label)'. There are: \(list(labels))."
        case .submitsNothing(let label):
            "The field '\(label)' has nothing to submit: Enter only moves on."
        case .noContent(let screen):
            "A \(screen) is not a Display.ContentScreen and has no content to look at."
        }
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
