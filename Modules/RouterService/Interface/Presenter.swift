/// Shows and removes screens: the terminal here, a `UINavigationController` elsewhere.
///
/// The router owns the stack. A person who goes back is reported to the router through
/// ``Presentation/close()``, and the router answers with ``remove(_:)``, so the two stacks stay equal.
///
/// A presenter keeps the ``Presentation`` for as long as it keeps the screen: when the last copy is released without a
/// removal, the router takes the screen as closed.
@MainActor
public protocol Presenter: AnyObject {
    /// Shows a screen above all others.
    ///
    /// - Throws: Any error; the router then forgets the screen, and whoever opened the route receives the error.
    func show(_ screen: any Screen, as presentation: Presentation) throws

    /// Removes screens, the topmost first.
    ///
    /// Presentations that are already gone are to be ignored.
    func remove(_ presentations: [Presentation.ID])
}

/// One showing of a screen: its identity, its style, and the way to report that the person left it.
@MainActor
public struct Presentation: Identifiable {
    /// Tells one showing from every other of the same router.
    public struct ID: Hashable, Sendable {
        private let number: Int

        /// Creates an identity from a number that its router uses once.
        public init(_ number: Int) {
            self.number = number
        }
    }

    /// The identity of this showing.
    public nonisolated let id: ID
    /// How the screen is shown.
    public let style: PresentationStyle
    /// Whether this is the first screen, which nobody can close.
    public let isRoot: Bool
    /// Lives for as long as anybody keeps the presentation; the router refers to it weakly.
    public let lease: Lease

    /// Creates a presentation; routers do, and tests of presenters.
    public init(id: ID, style: PresentationStyle, isRoot: Bool, onClose: @escaping @MainActor () -> Void) {
        self.id = id
        self.style = style
        self.isRoot = isRoot
        lease = Lease(onClose: onClose)
    }

    /// Reports that the person leaves this screen.
    ///
    /// The router removes it with all above it; callers that wait for their results receive a cancellation.
    /// Does nothing for the first screen or when it is already gone.
    public func close() {
        lease.close()
    }

    /// What tells the router that the presenter dropped a screen: every copy of one presentation holds the same lease.
    @MainActor
    public final class Lease {
        private var onClose: (@MainActor () -> Void)?

        fileprivate init(onClose: @escaping @MainActor () -> Void) {
            self.onClose = onClose
        }

        /// Reports that the screen is left; does nothing after ``end()``.
        fileprivate func close() {
            onClose?()
        }

        /// Ends the lease, because the router has removed the screen by itself.
        public func end() {
            onClose = nil
        }

        deinit {
            guard let onClose else { return }
            Task { @MainActor in onClose() }
        }
    }
}

/// How a screen is shown.
public struct PresentationStyle: Hashable, Codable, Sendable {
    /// The style's name, unique among the styles that one presenter knows.
    public let name: String

    /// Creates a style that a presenter of yours knows by this name.
    public init(_ name: String) {
        self.name = name
    }

    /// Continues the flow: the screen comes after the one that is shown.
    public static let push = PresentationStyle("push")
    /// Interrupts the flow: the screen covers the one that is shown until it finishes or is left.
    public static let modal = PresentationStyle("modal")
    /// Begins anew: the screen becomes the first one, and the router removes all others as soon as it is shown.
    public static let root = PresentationStyle("root")
}
