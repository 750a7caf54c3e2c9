/// A line of source, as `#fileID` and `#line` give it.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    /// The module and file, for example `LoginImplementation/LoginModule.swift`.
    public let fileID: String
    /// The line, from 1.
    public let line: Int

    /// Creates a place from `#fileID` and `#line`.
    public init(fileID: String, line: Int) {
        self.fileID = fileID
        self.line = line
    }

    /// The place as compilers write it, `file:line`.
    public var description: String { "\(fileID):\(line)" }
}
