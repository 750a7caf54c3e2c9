// Reads Swift with the parser of the toolchain. Standard input has files, each as a line with its length in bytes and
// then its text; standard output gets a line of JSON for each. `reader.py` describes the fields. Positions are offsets
// in bytes, and lists of ranges have a start and an end in turn.
import Foundation
import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

struct File: Encodable {
    var imports: [Import] = []
    var declarations: [Declaration] = []
    var statements: [Int] = []
    var clauses: [Clause] = []
    var comments: [Int] = []
    var literals: [Int] = []
    var qualifiers: [Int] = []
    var error: Problem?
}

struct Problem: Encodable {
    let position: Int
    let message: String
}

struct Clause: Encodable {
    let condition: String
    let start, end: Int
}

struct Import: Encodable {
    let module: String
    let scope, attributes: [String]
    let access: String?
    let start, end, nameStart, nameEnd: Int
}

struct Declaration: Encodable {
    let kind: String
    var name = ""
    var access: String?
    var modifiers: [String] = []
    var attributes: [String] = []
    var labels: [String] = []
    var inherits: [String] = []
    var isConstrained = false
    var isStoredVariable = false
    let isConditional: Bool
    let start: Int
    var nameStart = 0
    let end: Int
    var bodyStart, bodyEnd: Int?
    var acceptsStatement = false
    var singleExpression: Int?
    var members: [Declaration] = []

    mutating func take(name: TokenSyntax) { (self.name, nameStart) = (name.name, name.start) }
    mutating func take(body: some BracedSyntax) {
        (bodyStart, bodyEnd) = (body.leftBrace.end, body.rightBrace.start)
    }
    mutating func take(parameters: FunctionParameterClauseSyntax) {
        labels = parameters.parameters.map(\.firstName.name)
    }
}

extension SyntaxProtocol {
    var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }
    var end: Int { endPositionBeforeTrailingTrivia.utf8Offset }
}

extension TokenSyntax {
    /// The text without the backquotes of an escaped name.
    var name: String { text.trimmingCharacters(in: ["`"]) }
}

extension DeclModifierListSyntax {
    /// The access level of the whole, and not that of a setter.
    var access: String? {
        let levels = ["private", "fileprivate", "internal", "package", "public", "open"]
        return first { $0.detail == nil && levels.contains($0.name.text) }?.name.text
    }
}

extension AttributeListSyntax {
    /// The attributes, also those in `#if`.
    var all: [AttributeSyntax] {
        flatMap { element -> [AttributeSyntax] in
            if case .attribute(let attribute) = element { return [attribute] }
            let clauses = element.as(IfConfigDeclSyntax.self)?.clauses ?? []
            return clauses.flatMap { $0.elements?.as(AttributeListSyntax.self)?.all ?? [] }
        }
    }
    var names: [String] { all.map(\.attributeName.trimmedDescription) }
}

// MARK: Declarations

/// Adds the declarations of some statements or members, with those of all clauses of `#if`.
func add(_ items: some Sequence<Syntax>, to found: inout [Declaration], conditional: Bool = false) {
    for item in items {
        guard let conditions = item.as(IfConfigDeclSyntax.self) else {
            found += declarations(item, conditional)
            continue
        }
        for case let elements? in conditions.clauses.map(\.elements) {
            switch elements {
            case .statements(let statements):
                add(statements.map { Syntax($0.item) }, to: &found, conditional: true)
            case .decls(let members): add(members.map { Syntax($0.decl) }, to: &found, conditional: true)
            default: break
            }
        }
    }
}

let kinds: [SyntaxKind: String] = [
    .structDecl: "struct", .enumDecl: "enum", .classDecl: "class", .actorDecl: "actor",
    .protocolDecl: "protocol",
    .extensionDecl: "extension", .functionDecl: "func", .initializerDecl: "init",
    .deinitializerDecl: "deinit",
    .subscriptDecl: "subscript", .variableDecl: "var", .enumCaseDecl: "case", .typeAliasDecl: "typealias",
    .associatedTypeDecl: "associatedtype", .macroDecl: "macro",
]

/// The declarations that one statement makes: variables and cases may be several.
func declarations(_ item: Syntax, _ isConditional: Bool) -> [Declaration] {
    guard let kind = kinds[item.kind] else { return [] }
    var made = Declaration(kind: kind, isConditional: isConditional, start: item.start, end: item.end)
    let modifiers = item.asProtocol(WithModifiersSyntax.self)?.modifiers ?? []
    (made.access, made.modifiers) = (modifiers.access, modifiers.map(\.trimmedDescription))
    made.attributes = item.asProtocol(WithAttributesSyntax.self)?.attributes.names ?? []
    if let name = item.asProtocol(NamedDeclSyntax.self)?.name { made.take(name: name) }
    if let body = item.asProtocol(WithOptionalCodeBlockSyntax.self)?.body { made.take(body: body) }
    if let group = item.asProtocol(DeclGroupSyntax.self) {
        made.inherits = group.inheritanceClause?.inheritedTypes.flatMap { inherited($0.type) } ?? []
        made.take(body: group.memberBlock)
        add(group.memberBlock.members.map { Syntax($0.decl) }, to: &made.members, conditional: isConditional)
    }
    switch item.as(SyntaxEnum.self) {
    case .extensionDecl(let node):
        (made.name, made.nameStart) = (node.extendedType.trimmedDescription, node.extendedType.start)
        made.isConstrained = node.genericWhereClause != nil || made.name.contains("<")
    case .functionDecl(let node):
        made.take(parameters: node.signature.parameterClause)
        (made.acceptsStatement, made.singleExpression) = statements(of: node)
    case .initializerDecl(let node):
        made.take(name: node.initKeyword)
        made.take(parameters: node.signature.parameterClause)
    case .deinitializerDecl(let node): made.take(name: node.deinitKeyword)
    case .subscriptDecl(let node):
        made.take(name: node.subscriptKeyword)
        // Its parameters have no labels but those that are written beside their names.
        made.labels = node.parameterClause.parameters.map { $0.secondName == nil ? "_" : $0.firstName.name }
        if let accessors = node.accessorBlock, hasCode(accessors) { made.take(body: accessors) }
    case .variableDecl(let node):
        let isVariable = node.bindingSpecifier.tokenKind == .keyword(.var)
        return node.bindings.flatMap { binding in
            names(binding.pattern).map { name in
                var each = made
                each.isStoredVariable = isVariable && isStored(binding)
                each.take(name: name)
                if let accessors = binding.accessorBlock, hasCode(accessors) { each.take(body: accessors) }
                return each
            }
        }
    case .enumCaseDecl(let node):
        return node.elements.map { element in
            var each = made
            each.take(name: element.name)
            return each
        }
    default: break
    }
    return [made]
}

func inherited(_ type: TypeSyntax) -> [String] {
    guard let composition = type.as(CompositionTypeSyntax.self) else { return [type.trimmedDescription] }
    return composition.elements.flatMap { inherited($0.type) }
}

func names(_ pattern: PatternSyntax) -> [TokenSyntax] {
    if let tuple = pattern.as(TuplePatternSyntax.self) { return tuple.elements.flatMap { names($0.pattern) } }
    return pattern.as(IdentifierPatternSyntax.self).map { [$0.identifier] } ?? []
}

/// Whether a variable has a value of its own: no accessors, or only observers.
func isStored(_ binding: PatternBindingSyntax) -> Bool {
    guard let block = binding.accessorBlock else { return true }
    guard case .accessors(let list) = block.accessors else { return false }
    return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
}

/// Whether there is code between the braces, and not only `get` and `set`, as in a protocol.
func hasCode(_ block: AccessorBlockSyntax) -> Bool {
    guard case .accessors(let list) = block.accessors else { return true }
    return list.contains { $0.body != nil }
}

/// Whether a statement can be put at the start of a body that still means the same, and where the body begins that is
/// one expression, which is returned without `return`.
func statements(of function: FunctionDeclSyntax) -> (Bool, Int?) {
    guard let items = function.body?.statements, let first = items.first?.item,
        !function.attributes.all.contains(where: givesTheBodyAMeaning)
    else { return (false, nil) }
    if function.signature.returnClause == nil { return (true, nil) }
    // The branches of conditions may be such expressions too.
    if items.allSatisfy({ $0.item.is(IfConfigDeclSyntax.self) }) { return (false, nil) }
    if items.count > 1 || first.is(ReturnStmtSyntax.self) { return (true, nil) }
    let isExpression =
        first.is(ExprSyntax.self) && !first.is(IfExprSyntax.self) && !first.is(SwitchExprSyntax.self)
    return (false, isExpression ? first.start : nil)
}

/// Whether an attribute shows the body to others, or may be a result builder or a macro.
///
/// `@Test` is a macro that leaves the body as it is; the attributes of the language begin with a small letter.
func givesTheBodyAMeaning(_ attribute: AttributeSyntax) -> Bool {
    let name = attribute.attributeName.trimmedDescription
    if ["Test", "Sendable"].contains(name) || (name == "MainActor" && attribute.arguments == nil) {
        return false
    }
    let isShown = ["inlinable", "_transparent", "_alwaysEmitIntoClient", "backDeployed"].contains(name)
    return isShown || name.first?.isUppercase == true
}

/// Whether a statement is an import, or an `#if` with nothing but imports, errors and warnings.
func onlyImports(_ item: Syntax) -> Bool {
    if let message = item.asProtocol(FreestandingMacroExpansionSyntax.self) {
        return ["error", "warning"].contains(message.macroName.text)
    }
    guard let conditions = item.as(IfConfigDeclSyntax.self) else { return item.is(ImportDeclSyntax.self) }
    return conditions.clauses.allSatisfy { clause in
        guard case .statements(let statements)? = clause.elements else { return clause.elements == nil }
        return statements.allSatisfy { onlyImports(Syntax($0.item)) }
    }
}

// MARK: Everything else

/// Finds what may stand anywhere: imports, clauses of `#if`, comments, literals and qualified names.
final class Visitor: SyntaxVisitor {
    var file = File()
    /// The ranges of `#if` of which the compiler may leave out clauses unparsed.
    private var versioned: [Range<Int>] = []

    static func read(_ text: UnsafeBufferPointer<UInt8>) -> File {
        let tree = Parser.parse(source: text)
        let visitor = Visitor(viewMode: .sourceAccurate)
        visitor.walk(tree)
        visitor.file.error = tree.hasError ? visitor.firstError(tree) : nil
        if visitor.file.error == nil {
            let items = tree.statements.map { Syntax($0.item) }
            add(items, to: &visitor.file.declarations)
            visitor.file.statements = items.filter { !onlyImports($0) }.flatMap { [$0.start, $0.end] }
        }
        return visitor.file
    }

    private func firstError(_ tree: SourceFileSyntax) -> Problem? {
        ParseDiagnosticsGenerator.diagnostics(for: tree)
            .filter { $0.diagMessage.severity == .error }
            .map { Problem(position: $0.position.utf8Offset, message: $0.message) }
            .filter { problem in !versioned.contains { $0.contains(problem.position) } }
            .min { $0.position < $1.position }
    }

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        let names = node.path.map(\.name)
        guard let module = names.first else { return .visitChildren }
        let scope = (node.importKindSpecifier.map { [$0.text] } ?? []) + names.dropFirst().map(\.name)
        file.imports.append(
            Import(
                module: module.name, scope: scope, attributes: node.attributes.names,
                access: node.modifiers.access,
                start: node.start, end: node.end, nameStart: module.start, nameEnd: module.end))
        return .visitChildren
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for clause in node.clauses {
            let condition = clause.condition?.trimmedDescription ?? ""
            file.clauses.append(Clause(condition: condition, start: clause.start, end: clause.end))
            if condition.contains("compiler(") || condition.contains("swift(")
                || condition.contains("_version(")
            {
                versioned.append(node.start..<node.end)
            }
        }
        return .visitChildren
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        var position = token.position.utf8Offset
        takeComments(token.leadingTrivia, &position)
        let end = position + token.trimmedLength.utf8Length
        switch token.tokenKind {
        case .stringSegment, .regexLiteralPattern: file.literals += range(position, end)
        default: break
        }
        position = end
        takeComments(token.trailingTrivia, &position)
        return .visitChildren
    }

    private func takeComments(_ trivia: Trivia, _ position: inout Int) {
        for piece in trivia {
            let end = position + piece.sourceLength.utf8Length
            switch piece {
            case .lineComment, .blockComment, .docLineComment, .docBlockComment:
                file.comments += range(position, end)
            default: break
            }
            position = end
        }
    }

    private func range(_ start: Int, _ end: Int) -> [Int] { start < end ? [start, end] : [] }

    // Names before a dot, which may be those of modules.
    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        qualifier(node.base?.as(DeclReferenceExprSyntax.self)?.baseName)
    }
    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        qualifier(node.baseType.as(IdentifierTypeSyntax.self)?.name)
    }
    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
        qualifier(node.root?.as(IdentifierTypeSyntax.self)?.name)
    }
    override func visit(_ node: ModuleSelectorSyntax) -> SyntaxVisitorContinueKind {
        qualifier(node.moduleName)
    }

    private func qualifier(_ name: TokenSyntax?) -> SyntaxVisitorContinueKind {
        file.qualifiers += name.map { [$0.start, $0.end] } ?? []
        return .visitChildren
    }
}

let encoder = JSONEncoder()
encoder.outputFormatting = .withoutEscapingSlashes
let input = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
try input.withUnsafeBufferPointer { bytes in
    var position = 0
    while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
        let length = Int(String(decoding: bytes[position..<end], as: UTF8.self)) ?? 0
        position = end + 1 + length
        let file = Visitor.read(UnsafeBufferPointer(rebasing: bytes[end + 1..<position]))
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(file) + Data("\n".utf8))
    }
}
