public import Foundation

extension Storage {
    /// The reason why values cannot be read or saved.
    public enum Failure: Error, Hashable {
        /// A folder or file that the system does not allow to be used, with the system's reason.
        case unusable(path: String, reason: String)
        /// A store that another program has open.
        case inUse(path: String)
        /// A file that a newer version has written.
        case newerFormat(path: String, version: UInt32)
        /// Changes that could not be saved, with the reason; earlier saved values are as they were.
        case notSaved(path: String, reason: String)
        /// Values that could not be removed from a file, with the reason.
        case notRemoved(path: String, reason: String)
        /// A value that is not of its key's type, with the reason.
        case undecodable(key: String, type: String, reason: String)
        /// A value that has no JSON, with the reason.
        case unencodable(key: String, type: String, reason: String)
    }
}

extension Storage.Failure: LocalizedError {
    /// A description of the failure, in words for the user.
    public var errorDescription: String? {
        switch self {
        case .unusable(let path, let reason):
            "The data in \(path) cannot be used: \(reason). Correct that, or choose another folder."
        case .inUse(let path):
            "The data in \(path) is used by another program. Quit that one, or choose another folder."
        case .newerFormat(let path, let version):
            "The data in \(path) has format \(version), which this version cannot read. Use the version that wrote "
                + "it, or choose another folder."
        case .notSaved(let path, let reason):
            "The change could not be saved in \(path): \(reason). What was saved before is kept. Correct that, and "
                + "save again."
        case .notRemoved(let path, let reason):
            "The data in \(path) could not be removed: \(reason). Remove that file."
        case .undecodable(let key, let type, let reason):
            "The stored value '\(key)' is not a \(type). Another version may have written it, which can read it. "
                + reason
        case .unencodable(let key, let type, let reason):
            "The \(type) for '\(key)' cannot be stored: \(reason)"
        }
    }
}
