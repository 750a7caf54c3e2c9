public import Foundation

extension Storage {
    /// The reason why values cannot be read or saved, with the system's words.
    public enum Failure: Error, Hashable {
        /// A folder that cannot be opened or read, or that another program has open.
        case unusable(path: String, reason: String)
        /// A value that could not be saved, and is unchanged.
        case notSaved(path: String, reason: String)
        case notRemoved(path: String, reason: String)
    }
}

extension Storage.Failure: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .unusable(let path, let reason):
            "The data in \(path) cannot be used: \(reason). Correct that, or choose another folder."
        case .notSaved(let path, let reason):
            "The change could not be saved in \(path): \(reason). Earlier saved data is kept. Correct that, and save "
                + "again."
        case .notRemoved(let path, let reason):
            "The data in \(path) could not be removed: \(reason). Remove that file."
        }
    }
}
