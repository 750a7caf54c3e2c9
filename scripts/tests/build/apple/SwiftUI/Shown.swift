public import Foundation
public import UIKit

/// A view as a device shows it at the moment of creation, with the gestures of its user.
@MainActor
public final class Shown {
    public private(set) var texts: [String] = []
    public private(set) var buttons: [String: @MainActor () -> Void] = [:]
    public private(set) var controllers: [UIViewController] = []
    /// The screens above this one on its path.
    public private(set) var path: [Shown] = []
    public private(set) var sheet: Shown?
    public internal(set) var tasks: [@MainActor @Sendable () async -> Void] = []
    public internal(set) var openURL: (@MainActor (URL) -> Void)?
    var destinations: [@MainActor (AnyHashable) -> (any View)?] = []
    private let view: any View
    private var shorten: ((Int) -> Void)?
    private var clear: (() -> Void)?

    public init(_ view: some View) {
        self.view = view
        add(view)
    }

    /// The window of an App.
    public convenience init(_ app: some App) {
        self.init(AnyView(erased: (app.body as? any Window)?.view ?? Text("No window")))
    }

    /// The same view as it is now.
    public var now: Shown { Shown(AnyView(erased: view)) }

    /// The texts of the topmost screen.
    public var topTexts: [String] { (sheet ?? path.last)?.topTexts ?? texts }

    /// Goes back by the button or the edge gesture, by so many screens.
    public func goBack(by count: Int = 1) { shorten?(count) }

    /// Swipes the sheet down.
    public func swipeDown() { clear?() }

    func add(_ view: some View) {
        if let primitive = view as? any Primitive {
            primitive.show(in: self)
        } else if let representable = view as? any UIViewControllerRepresentable {
            controllers.append(representable.made)
        } else {
            add(view.body)
        }
    }

    func add(_ button: String, _ action: @escaping @MainActor () -> Void) { buttons[button] = action }
    func add(_ text: String) { texts.append(text) }

    func push(_ elements: [AnyHashable], shorten: @escaping (Int) -> Void) {
        self.shorten = shorten
        path = elements.map { Shown(Pushed(element: $0, destinations: destinations)) }
    }

    func present(_ view: (any View)?, clear: @escaping () -> Void) {
        self.clear = clear
        sheet = view.map { Shown(AnyView(erased: $0)) }
    }
}

@MainActor
protocol Window {
    var view: any View { get }
}

extension WindowGroup: Window {
    var view: any View { content() }
}

/// A view that the stand-in shows itself.
@MainActor
public protocol Primitive: View where Body == Never {
    func show(in shown: Shown)
}

extension Primitive {
    public var body: Never { fatalError() }
}

/// A view with something that belongs to the screen that it is on.
struct Modified<Content: View>: Primitive {
    let view: Content
    let modify: @MainActor (Shown) -> Void

    func show(in shown: Shown) {
        shown.add(view)
        modify(shown)
    }
}

/// A screen above the root of a path, which keeps its element.
struct Pushed: Primitive {
    let element: AnyHashable
    let destinations: [@MainActor (AnyHashable) -> (any View)?]

    func show(in shown: Shown) {
        if let view = destinations.lazy.compactMap({ $0(element) }).first { shown.add(view) }
    }
}

extension TupleView {
    public func show(in shown: Shown) { for view in views { shown.add(view) } }
}

extension Optional: Primitive where Wrapped: View {
    public func show(in shown: Shown) { if let self { shown.add(self) } }
}

extension AnyView {
    public func show(in shown: Shown) { shown.add(view) }
}

extension Text {
    public func show(in shown: Shown) { shown.add(text) }
}

extension Button {
    public func show(in shown: Shown) { shown.add(title, action) }
}

extension VStack {
    public func show(in shown: Shown) { shown.add(content) }
}

extension NavigationStack {
    public func show(in shown: Shown) {
        shown.add(root)
        shown.push(elements(), shorten: shorten)
    }
}

extension UIViewControllerRepresentable {
    fileprivate var made: UIViewController {
        makeUIViewController(context: UIViewControllerRepresentableContext())
    }
}
