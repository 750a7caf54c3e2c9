// What docs/adopting uses of SwiftUI, with the signatures of Apple's documentation (developer.apple.com, read in November 2026).
// It keeps what it is given; Shown.swift shows it.

public import Foundation
public import UIKit

@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@MainActor
@resultBuilder
public struct ViewBuilder {
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)>
    where repeat each Content: View {
        var views: [any View] = []
        for view in repeat each content { views.append(view) }
        return TupleView(views: views)
    }
    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
}

public struct TupleView<Content>: Primitive {
    let views: [any View]
}

extension Optional: View where Wrapped: View {}

public struct AnyView: Primitive {
    let view: any View

    public init<V>(_ view: V) where V: View { self.view = view }
    init(erased view: any View) { self.view = view }
}

public struct Text: Primitive {
    let text: String

    public init<S>(_ content: S) where S: StringProtocol { text = String(content) }
}

public struct Button<Label>: Primitive where Label: View {
    let title: String
    let action: @MainActor () -> Void
}

extension Button where Label == Text {
    public init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S: StringProtocol {
        (self.title, self.action) = (String(title), action)
    }
}

public struct VStack<Content>: Primitive where Content: View {
    let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

@propertyWrapper
public struct State<Value> {
    private final class Box {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    public init(wrappedValue value: Value) { box = Box(value) }
    public init() where Value: ExpressibleByNilLiteral { box = Box(nil) }

    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}

@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        // All of them are on the main actor, as SwiftUI's own calls.
        self.get = unsafeBitCast(get, to: (() -> Value).self)
        self.set = unsafeBitCast(set, to: ((Value) -> Void).self)
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

@MainActor
public struct NavigationStack<Data, Root>: Primitive where Root: View {
    let root: Root
    let elements: () -> [AnyHashable]
    let shorten: (Int) -> Void

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
        Data.Element: Hashable
    {
        self.root = root()
        (elements, shorten) = (path.elements, path.shorten)
    }
}

extension Binding
where Value: RandomAccessCollection, Value: RangeReplaceableCollection, Value.Element: Hashable {
    fileprivate func elements() -> [AnyHashable] { wrappedValue.map { AnyHashable($0) } }

    fileprivate func shorten(by count: Int) {
        wrappedValue = Value(wrappedValue.dropLast(count))
    }
}

extension View {
    public func navigationDestination<D, C>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        Modified(view: self) { shown in
            shown.destinations.append { element in (element.base as? D).map(destination) }
        }
    }

    public func sheet<Item, Content>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View where Item: Identifiable, Content: View {
        Modified(view: self) { shown in
            shown.present(item.wrappedValue.map(content)) { item.wrappedValue = nil }
        }
    }

    public func id<ID>(_ id: ID) -> some View where ID: Hashable { self }

    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View {
        Modified(view: self) { $0.tasks.append(action) }
    }

    public func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> some View {
        Modified(view: self) { $0.openURL = action }
    }
}

@MainActor
@preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}

extension UIViewControllerRepresentable {
    public var body: Never { fatalError() }
}

public struct UIViewControllerRepresentableContext<Representable> {}

@MainActor
@preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    var body: Body { get }
}

extension Never: Scene {}

public struct WindowGroup<Content>: Scene where Content: View {
    let content: () -> Content

    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
    public var body: Never { fatalError() }
}

@MainActor
@preconcurrency
public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

@freestanding(declaration)
public macro Preview(_ name: String? = nil, body: @escaping @MainActor () -> any View) =
    #externalMacro(module: "PreviewsMacros", type: "SwiftUIView")
