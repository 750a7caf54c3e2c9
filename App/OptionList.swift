/// Options as they stand on a command line, before anybody asks what they mean together.
struct OptionList {
    /// The options without a value that were given.
    private(set) var flags: Set<String> = []
    /// The values that were given, by option.
    private(set) var values: [String: String] = [:]

    /// Reads arguments.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - flags: The options without a value.
    ///   - valued: The options with a value, and what it is: "a file".
    /// - Throws: `ArgumentError` for the first argument that cannot be used.
    init(_ arguments: [String], flags: Set<String>, valued: [String: String]) throws {
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            if flags.contains(argument) {
                self.flags.insert(argument)
            } else if let kind = valued[argument] {
                // What looks like an option was hardly meant as a value.
                guard let value = remaining.popFirst(), !value.isEmpty, !value.hasPrefix("-") else {
                    throw ArgumentError("\(argument) needs \(kind)")
                }
                guard values.updateValue(value, forKey: argument) == nil else {
                    throw ArgumentError("\(argument) was given twice")
                }
            } else {
                throw ArgumentError("unknown argument '\(argument)'")
            }
        }
    }

    /// Whether an option was given.
    func contains(_ option: String) -> Bool {
        flags.contains(option) || values[option] != nil
    }
}

/// An argument that cannot be used.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
