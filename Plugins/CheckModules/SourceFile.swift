import Foundation

/// A name at a line of a source.
struct Place {
    let name: String
    let line: Int
}

struct Import {
    let module: String
    let line: Int
    /// Its attributes, each with its `@`.
    let attributes: Set<String>
}

/// What the rules read in a Swift source, under every `#if`.
struct SourceFile {
    let url: URL
    let imports: [Import]
    /// The declarations at top level that other modules see, except extensions.
    let publicDeclarations: [Place]
    /// The uses of names in `Rules.traps`.
    let traps: [Place]
    /// The number of lines with code.
    let codeLines: Int

    var name: String { url.lastPathComponent }

    init(_ url: URL) throws {
        self.url = url
        var lexer = Lexer(String(decoding: try Data(contentsOf: url), as: UTF8.self))
        let tokens = lexer.tokens()
        let outer = tokens.filter { $0.depth == 0 }
        imports = outer.indices.compactMap { Self.import(at: $0, in: outer) }
        publicDeclarations = outer.indices.compactMap { Self.publicDeclaration(at: $0, in: outer) }
        traps = tokens.indices.compactMap { Self.trap(at: $0, in: tokens) }
        codeLines = lexer.codeLines.count
    }

    private static let levels: Set = ["public", "package", "internal", "fileprivate", "private", "open"]
    private static let kinds: Set = [
        "struct", "class", "enum", "protocol", "actor", "func", "var", "let", "typealias",
    ]

    /// The import that begins at an index.
    ///
    /// The word is a keyword everywhere but after a point, and as the label of a parameter, which is in brackets.
    private static func `import`(at index: Int, in tokens: [Token]) -> Import? {
        guard tokens[index].text == "import", index == 0 || tokens[index - 1].text != "." else { return nil }
        let first = tokens[(index + 1)...].first { !kinds.contains($0.text) }
        guard let module = first?.text.replacing("`", with: "") else { return nil }
        let before = tokens[..<index].reversed().prefix {
            $0.text.hasPrefix("@") || levels.contains($0.text) || ["(", ")"].contains($0.text)
        }
        return Import(
            module: module, line: tokens[index].line,
            attributes: Set(before.map(\.text).filter { $0.hasPrefix("@") }))
    }

    /// The declaration that an access level at an index makes visible to other modules.
    private static func publicDeclaration(at index: Int, in tokens: [Token]) -> Place? {
        guard ["public", "package", "open"].contains(tokens[index].text) else { return nil }
        for place in tokens.indices.dropFirst(index + 1).prefix(6) {
            let word = tokens[place].text
            if ["import", "extension"].contains(word) || levels.contains(word) { return nil }
            // In `class func`, the kind is behind.
            if kinds.contains(word), place + 1 < tokens.count, !kinds.contains(tokens[place + 1].text) {
                return Place(name: tokens[place + 1].text, line: tokens[index].line)
            }
        }
        return nil
    }

    /// The use of a trap at an index.
    ///
    /// A label `assert:` and a method `.assert` are none; `Swift.assert` is.
    private static func trap(at index: Int, in tokens: [Token]) -> Place? {
        let text = tokens[index].text
        let isUnsafe = text == "unsafe" && index > 1 && tokens[index - 2].text == "nonisolated"
        guard isUnsafe || Rules.traps.contains(text) else { return nil }
        let isLabel = index + 1 < tokens.count && tokens[index + 1].text == ":"
        let isMember =
            index > 0 && tokens[index - 1].text == "." && !(index > 1 && tokens[index - 2].text == "Swift")
        return isLabel || isMember
            ? nil : Place(name: isUnsafe ? "nonisolated(unsafe)" : text, line: tokens[index].line)
    }
}

/// A word, an attribute with its `@`, a sign, or a literal, which is `""`.
struct Token {
    let text: String
    let line: Int
    /// The number of brackets around the token.
    let depth: Int
}

/// Divides Swift source into tokens, so that nothing in a comment or a literal is taken for code.
///
/// The grammar is that of "Lexical Structure" in The Swift Programming Language.
struct Lexer {
    private let source: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var depth = 0
    /// The depths at which the open `#if` began; each clause begins there, whatever stands in another one.
    private var conditions: [Int] = []
    private var found: [Token] = []
    /// The lines that have a token or a part of a literal.
    private(set) var codeLines: Set<Int> = []

    init(_ text: String) { source = Array(text.unicodeScalars) }

    mutating func tokens() -> [Token] {
        read()
        return found
    }

    /// Reads to the end, or behind the bracket that ends an interpolation.
    private mutating func read(interpolation: Bool = false) {
        let outer = depth
        while let scalar = peek() {
            switch scalar {
            case "\n", "\r": endLine()
            case " ", "\t", "\u{B}", "\u{C}", "\0", "\u{FEFF}": index += 1
            case "/": readSlash()
            case "#": readHash()
            case "\"": readString(hashes: 0)
            case "(", "[", "{":
                add(text(1))
                depth += 1
            case ")", "]", "}":
                if interpolation, depth == outer {
                    index += 1
                    return
                }
                depth = max(depth - 1, 0)
                add(text(1))
            case "@", "`": readName()
            default: Self.isName(scalar) ? readName() : add(text(1))
            }
        }
    }

    /// Reads a word, an attribute, or a name in backquotes.
    private mutating func readName() {
        let start = index
        if peek() == "`" {
            index += 1
            while let scalar = peek(), scalar != "`", scalar != "\n" { index += 1 }
            if peek() == "`" { index += 1 }
        } else {
            index += 1
            while let scalar = peek(), Self.isName(scalar) { index += 1 }
        }
        let end = index
        index = start
        add(text(end - start))
    }

    /// Reads a comment, a regular expression, or an operator.
    private mutating func readSlash() {
        if has("//") {
            while let scalar = peek(), scalar != "\n", scalar != "\r" { index += 1 }
        } else if has("/*") {
            var level = 0
            repeat {
                if has("/*") {
                    level += 1
                    index += 2
                } else if has("*/") {
                    level -= 1
                    index += 2
                } else {
                    advance()
                }
            } while level > 0 && index < source.count
        } else if let end = regexEnd() {
            add("\"\"", to: end)
        } else {
            add(text(1))
        }
    }

    /// The index behind the regular expression that begins here; nil where the slash is an operator.
    private func regexEnd() -> Int? {
        let before = found.last
        let isBehindValue =
            before.map {
                $0.line == line && (Self.isValue($0.text) || [")", "]", "}", "\"\""].contains($0.text))
            }
            ?? false
        var place = index + 1
        guard !isBehindValue, place < source.count, ![" ", "\t"].contains(source[place]) else { return nil }
        while place < source.count, source[place] != "\n", source[place] != "\r" {
            if source[place] == "/" { return place + 1 }
            place += source[place] == "\\" ? 2 : 1
        }
        return nil
    }

    private static func isValue(_ text: String) -> Bool {
        let keywords: Set = [
            "return", "in", "case", "where", "throw", "try", "await", "if", "guard", "while", "switch",
            "else", "is", "as",
        ]
        return text.unicodeScalars.first.map(isName) == true && !keywords.contains(text)
    }

    /// Reads a literal with hashes, a directive, or the sign.
    private mutating func readHash() {
        let start = index
        var hashes = 0
        while start + hashes < source.count, source[start + hashes] == "#" { hashes += 1 }
        let next = start + hashes < source.count ? source[start + hashes] : " "
        if next == "\"" {
            index += hashes
            readString(hashes: hashes)
        } else if next == "/" {
            readExtendedRegex(hashes: hashes)
        } else {
            switch true {
            case has("#if"): conditions.append(depth)
            case has("#else"): depth = conditions.last ?? depth
            case has("#endif"): depth = conditions.popLast() ?? depth
            default: break
            }
            add(text(1))
        }
    }

    private mutating func readExtendedRegex(hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        addLiteral()
        index += hashes + 1
        while index < source.count, !has(end) { advance() }
        index = min(index + end.count, source.count)
    }

    /// Reads a string, and the code in it.
    ///
    /// A string of several lines begins with three quotes and a line break.
    private mutating func readString(hashes: Int) {
        let marks = String(repeating: "#", count: hashes)
        let rest = source[min(index + 3, source.count)...]
        let isLong =
            has("\"\"\"") && rest.first { $0 != " " && $0 != "\t" }.map { $0 == "\n" || $0 == "\r" } ?? true
        let end = String(repeating: "\"", count: isLong ? 3 : 1) + marks
        let escape = "\\" + marks
        addLiteral()
        index += isLong ? 3 : 1
        while let scalar = peek(), isLong || scalar != "\n" && scalar != "\r" {
            if has(end) {
                index += end.count
                return
            }
            if has(escape) {
                index += escape.count
                if peek() == "(" {
                    index += 1
                    depth += 1
                    read(interpolation: true)
                    depth -= 1
                    continue
                }
            }
            if index < source.count { advance() }
        }
    }
}

// MARK: - Steps

extension Lexer {
    private func peek() -> Unicode.Scalar? { index < source.count ? source[index] : nil }

    private func has(_ text: String) -> Bool { source[index...].starts(with: text.unicodeScalars) }

    private func text(_ count: Int) -> String {
        String(String.UnicodeScalarView(source[index..<index + count]))
    }

    private mutating func add(_ text: String) { add(text, to: index + text.unicodeScalars.count) }

    private mutating func add(_ text: String, to end: Int) {
        codeLines.insert(line)
        found.append(Token(text: text, line: line, depth: depth))
        index = end
    }

    /// Adds a literal, which is read after it.
    private mutating func addLiteral() { add("\"\"", to: index) }

    /// Passes one character of a comment or a literal.
    private mutating func advance() {
        if peek() == "\n" || peek() == "\r" { endLine() } else { index += 1 }
    }

    private mutating func endLine() {
        index += has("\r\n") ? 2 : 1
        line += 1
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: !scalar.isASCII
        }
    }
}
