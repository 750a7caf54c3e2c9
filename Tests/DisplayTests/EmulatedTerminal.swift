import DisplayInterface
import DisplayTesting
import RouterServiceInterface
import Testing

@testable import DisplayImplementation

/// A full-screen presenter on an emulated device, and a router that shows screens on it.
@MainActor
struct EmulatedTerminal: EmulatedTerminalSuite {
    let device = EmulatedDevice()
    let presenter: FullScreenPresenter
    let router: SmallRouter
    var terminal: EmulatedTerminal { self }

    init(
        _ theme: Theme = Theme(hasColours: false), trace: (any Display.Trace)? = nil,
        shortcuts: (any Display.Shortcuts)? = nil
    ) {
        presenter = FullScreenPresenter(device, theme: theme, trace: trace, shortcuts: shortcuts)
        router = SmallRouter(presenter.stack)
    }
}

/// A suite whose tests press keys at one terminal.
@MainActor
protocol EmulatedTerminalSuite {
    var terminal: EmulatedTerminal { get }
}

extension EmulatedTerminalSuite {
    var device: EmulatedDevice { terminal.device }
    var presenter: FullScreenPresenter { terminal.presenter }
    var router: SmallRouter { terminal.router }

    func show(_ screens: Display.ContentScreen..., columns: Int? = nil, rows: Int? = nil) throws {
        device.resize(columns: columns ?? device.size.columns, rows: rows ?? device.size.rows)
        for screen in screens { try router.show(screen) }
        try presenter.draw()
    }

    /// Presses keys, and draws after each.
    func press(_ keys: Key...) throws {
        for key in keys {
            #expect(try presenter.handle([key]))
            try presenter.draw()
        }
    }

    /// Draws again and again while something is true of the screen.
    func draw(while isTrue: () -> Bool) async throws {
        while isTrue() {
            try await yieldUnlessCancelled()
            try presenter.draw()
        }
    }

    /// Waits until no action runs.
    func rest() async throws {
        try presenter.draw()
        try await draw { device.screen.lines.last?.contains("Working") == true }
    }
}

/// A terminal with an emulated screen.
@MainActor
final class EmulatedDevice: FullScreenDevice {
    private(set) var size = TerminalDevice.Size(columns: 60, rows: 20)
    private(set) var screen = EmulatedScreen(columns: 60, rows: 20)
    /// The number of drawn bytes.
    private(set) var bytes = 0
    private(set) var uses: [String] = []
    /// Thrown by each drawing.
    var failure: Display.OutputFailure?

    func resize(columns: Int, rows: Int) {
        guard size != TerminalDevice.Size(columns: columns, rows: rows) else { return }
        size = TerminalDevice.Size(columns: columns, rows: rows)
        screen.resize(columns: columns, rows: rows)
    }

    func open(reporting: @escaping @Sendable ([Key]) -> Void) { uses.append("open") }
    func draw(_ text: String) throws {
        if let failure { throw failure }
        bytes += text.utf8.count
        screen.draw(text.utf8)
    }
    func close() { uses.append("close") }
    func suspend() {}
}
