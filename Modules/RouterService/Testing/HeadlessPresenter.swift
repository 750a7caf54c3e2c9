public import RouterServiceInterface

/// A presenter that shows nothing and remembers its stack.
///
/// It knows the styles `push` and `modal`, and any kind of screen.
@MainActor
public final class HeadlessPresenter: Presenter {
    /// One screen on the stack.
    public struct Entry {
        /// The screen.
        public let screen: any Screen
        /// How it was shown.
        public let presentation: Presentation
    }

    /// The stack, the first screen first.
    public private(set) var stack: [Entry] = []
    /// An error that `show` throws instead of showing.
    public var refusal: (any Error)?

    /// Creates a presenter with an empty stack.
    public init() {}

    /// The topmost screen.
    public var top: (any Screen)? { stack.last?.screen }

    /// The styles of the stack, the first screen's first.
    public var styles: [PresentationStyle] { stack.map(\.presentation.style) }

    /// Does what a person does who goes back from the topmost screen.
    public func goBack() {
        stack.last?.presentation.close()
    }

    /// Puts the screen on the stack.
    ///
    /// - Throws: ``refusal``, or `RouterError.unknownStyle` for a style other than push and modal.
    public func show(_ screen: any Screen, as presentation: Presentation) throws {
        if let refusal { throw refusal }
        guard [.push, .modal].contains(presentation.style) else {
            throw RouterError.unknownStyle(presentation.style, presenter: TypeName(Self.self))
        }
        stack.append(Entry(screen: screen, presentation: presentation))
    }

    /// Takes screens off the stack.
    public func remove(_ presentations: [Presentation.ID]) {
        stack.removeAll { presentations.contains($0.presentation.id) }
    }
}
