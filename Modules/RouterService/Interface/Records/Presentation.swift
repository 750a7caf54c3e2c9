/// The presentation of one screen: its identity, its style, and the way to report that the user leaves it.
///
/// When it is released although the screen was not removed, the router takes the screen as dropped by the presenter.
@MainActor
public final class Presentation: Identifiable {
    public nonisolated let id: Int
    public let style: PresentationStyle
    /// Whether this is the first screen, which cannot be closed.
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

    /// Reports that the user leaves this screen, which may ask first (``RouteContext/confirmLeaving(_:)``).
    ///
    /// Does nothing for the first screen or when it is already gone.
    public func close() async { await onClose?() }

    /// Ends the presentation, because the router itself has removed the screen; the router takes any other screen as
    /// dropped by the presenter.
    public func end() {
        isEnded = true
        // Moved out first: whatever they hold may call the router when it is released.
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
