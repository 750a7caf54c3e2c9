import DisplayInterface
import Foundation
import RouterServiceInterface

/// Shows the top screen on the whole terminal and takes single keys.
@MainActor
final class FullScreenTerminal: Display.Terminal {
    private let stack = ScreenStack()
    private let device: any FullScreenDevice
    private let status: ShownStatus
    private var views: [Presentation.ID: ScreenView] = [:]
    private var drawn: Frame?

    /// How long after an Escape the rest of a sequence is waited for; a person cannot type that fast.
    private static let escapeDelay = Duration.milliseconds(50)

    init(_ device: any FullScreenDevice, status: (any Display.Status)? = nil) {
        self.device = device
        self.status = ShownStatus(status)
    }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try stack.show(screen, as: presentation)
    }

    func replace(_ screens: [(screen: any Screen, presentation: Presentation)]) throws {
        try stack.replace(screens)
    }

    func remove(_ presentations: [Presentation.ID]) {
        stack.remove(presentations)
        presentations.forEach { views[$0] = nil }
    }

    func run(performing action: Display.Action?) async throws {
        guard let first = stack.top else { throw TerminalFailure.nothingToShow }
        let (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
        stack.onChange = { continuation.yield(.changed) }
        status.onChange = { continuation.yield(.changed) }
        defer {
            stack.onChange = {}
            status.onChange = {}
            stack.cancel()
        }
        try device.open { continuation.yield($0) }
        defer { device.close() }
        if let action { first.performNext(action) }
        do {
            try await follow(events) { continuation.yield($0) }
        } catch TerminalFailure.outputClosed, TerminalFailure.writing(EIO) {
            // The terminal is gone, and the person with it.
        }
    }

    private func follow(
        _ events: AsyncStream<TerminalEvent>, report: @escaping @Sendable (TerminalEvent) -> Void
    ) async throws {
        var decoder = KeyDecoder()
        var waiting = 0
        drawn = nil
        try draw()
        for await event in events {
            var keys: [Key] = []
            switch event {
            case .input(let bytes): keys = decoder.decode(bytes)
            case .escapeExpired(let number): keys = number == waiting ? decoder.flush() : []
            case .damaged: drawn = nil
            case .changed: break
            case .inputEnded: return
            }
            for key in keys {
                guard take(key) else { return }
            }
            if case .input = event, decoder.isWaitingForMore {
                waiting += 1
                Task { [waiting] in
                    try await Task.sleep(for: Self.escapeDelay)
                    report(.escapeExpired(waiting))
                }
            }
            guard stack.top != nil else { return }
            try draw()
        }
    }

    private func draw() throws {
        guard let screen = stack.top else { return }
        var view = views[screen.presentation.id] ?? ScreenView()
        let frame = view.layOut(screen, path: stack.path, status: status.line, size: device.size)
        views[screen.presentation.id] = view
        guard frame != drawn else { return }
        try device.draw(frame.text)
        drawn = frame
    }

    /// Does what a key asks for.
    ///
    /// - Returns: False when it is to quit.
    private func take(_ key: Key) -> Bool {
        guard let screen = stack.top else { return false }
        let id = screen.presentation.id
        switch key {
        case .interrupt:
            return false
        case .suspend:
            device.suspend()
        case .escape:
            if !screen.presentation.isRoot { screen.leave() }
        default:
            var view = views[id] ?? ScreenView()
            if key == .character("q"), view.focusedField(of: screen) == nil { return false }
            view.take(key, on: screen, pageHeight: max(1, device.size.rows - 4))
            // The key may have removed the screen.
            if stack.screens.contains(where: { $0 === screen }) { views[id] = view }
        }
        return true
    }
}
