import RouterServiceInterface
import Testing

/// Types of all kinds; protocols that are private would be printed with the identity of their file.
enum Named {
    struct A {}
    struct Box<Value> {}
    struct Pack<each Value> {}
    class Object {}
    final class Tree<Leaf> { struct Node<Key> {} }
    struct MySelf {
        struct Inner {}
        protocol Deep<Größe> { associatedtype Größe }
    }
    struct Größe { struct Innen {} }
    protocol Plain {}
    protocol Store<Value> { associatedtype Value }
    protocol Two<First, Second> { associatedtype First; associatedtype Second }
}
extension Array { fileprivate struct Nested {} }
private struct Hidden { struct Inner {} }

/// Names without modules, for messages and lists.
struct TypeKeyTests {
    private static let types: [(any Any.Type, String)] = [
        (Int.self, "Int"), (Named.Object.self, "Named.Object"), (Named.A.self, "Named.A"),
        ([String: [Int?]].self, "Dictionary<String, Array<Optional<Int>>>"),
        (Named.A?.self, "Optional<Named.A>"),
        (Named.Tree<Int>.Node<String>.self, "Named.Tree<Int>.Node<String>"),
        ((any Named.Plain).self, "any Named.Plain"), ((any Named.Plain & Sendable).self, "any Named.Plain"),
        (Any.self, "any Any"),
        ((any Named.Plain).Type.self, "Named.Plain.Protocol"),
        ((any Named.Plain.Type).self, "any Named.Plain.Type"),
        ((any Codable).self, "any Decodable & Encodable"), ((any Error).self, "any Error"),
        ((any Named.Store<Int>).self, "any Named.Store<Int>"),
        ((any Named.Store<[Named.A]>)?.self, "Optional<any Named.Store<Array<Named.A>>>"),
        (
            (any Named.Two<any Named.Store<Int>, Named.Object>).self,
            "any Named.Two<any Named.Store<Int>, Named.Object>"
        ),
        ((any Named.Store<Int> & Named.Plain).self, "any Named.Plain & Named.Store<Int>"),
        ((any Named.Two<Int, Named.MySelf.Inner>).self, "any Named.Two<Int, Named.MySelf.Inner>"),
        ((any Named.MySelf.Deep<Int>).self, "any Named.MySelf.Deep<Int>"),
        ((() -> Void).self, "() -> ()"), (((inout Int) throws -> Void).self, "(inout Int) throws -> ()"),
        (
            (@MainActor (Named.A, Int) async -> Named.Object).self,
            "@Swift.MainActor @Sendable (Named.A, Int) async -> Named.Object"
        ),
        ((Int, (Named.A, Named.Object)).self, "(Int, (Named.A, Named.Object))"),
        ((a: Int, b: Named.Object).self, "(a: Int, b: Named.Object)"), (Void.self, "()"),
        ([Int].Nested.self, "Array<Int>.Nested"),
        (Named.Box<[Int].Nested>.self, "Named.Box<Array<Int>.Nested>"),
        (Named.Größe.Innen.self, "Named.Größe.Innen"),
        (Named.Pack<Int, Named.A>.self, "Named.Pack<Pack{Swift.Int, Named.A}>"),
        (Int.Type.self, "Int.Type"),
    ]

    @Test func description_leavesModulesAndPrivateContextsOut() {
        struct Local { struct Inner {} }
        for (type, name) in Self.types { #expect(TypeKey(type).description == name) }
        #expect(TypeKey([Hidden.Inner].self).description == "Array<Hidden.Inner>")
        #expect(TypeKey(Local.Inner.self).description == "TypeKeyTests.Local.Inner")
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            #expect(TypeKey(InlineArray<4, Named.A>.self).description == "InlineArray<4, Named.A>")
        }
    }

    @Test func fullName_hasTheModule_andNoPrivateContext() {
        #expect(
            TypeKey(Named.Box<Named.Object>.self).fullName
                == "RouterServiceTests.Named.Box<RouterServiceTests.Named.Object>")
        #expect(
            TypeKey((any Named.Store<Int>).self).fullName.hasPrefix("any RouterServiceTests.Named.Store<"))
        #expect(TypeKey([Hidden].self).fullName == "Swift.Array<RouterServiceTests.Hidden>")
    }

    @Test func valueTypes_areNeitherClassesNorProtocols() {
        let others: [any Any.Type] = [
            Named.Object.self, (any Named.Plain).self, (any Named.Store<Int>).self, Any.self,
        ]
        #expect(others.allSatisfy { !TypeKey($0).isValueType })
        let values: [any Any.Type] = [
            Int.self, Named.Box<Named.Object>.self, (Int, Int).self, (() -> Void).self,
            [any Named.Plain].self,
        ]
        #expect(values.allSatisfy { TypeKey($0).isValueType })
    }
}
