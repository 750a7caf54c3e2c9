/// The presentation of one screen, which its presenter keeps for as long as the screen.
///
/// When it is released before it has ended, the router takes the screen as dropped by the presenter.
@MainActor
public final class Presentation: Identifiable {
    public nonisolated let id: Int
    public let style: PresentationStyle
    /// Whether the screen is the first one, which cannot be closed.
    public let isRoot: Bool
    public private(set) var isEnded = false
    private var onClose: (@MainActor () async -> Void)?
    private var onDrop: (@MainActor () -> Void)?

    public init(
        id: Int, style: PresentationStyle, isRoot: Bool, onDrop: @escaping @MainActor () -> Void = {},
        onClose: @escaping @MainActor () async -> Void
    ) {
        self.id = id
        self.style = style
        self.isRoot = isRoot
        self.onClose = onClose
        self.onDrop = onDrop
    }

    /// Reports that the user leaves the screen, which may ask first (``RouteContext/confirmLeaving(_:)``).
    public func close() async { await onClose?() }

    /// Ends the presentation, because the router has removed the screen.
    public func end() {
        isEnded = true
        // Moved out first: whatever the closures hold may call the router when it is released.
        let drop = onDrop.take()
        let close = onClose.take()
        drop?()
        _ = close
    }

    deinit {
        guard let onDrop else { return }
        Task { @MainActor in onDrop() }
    }
}
