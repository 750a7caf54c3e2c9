import DisplayInterface
import Foundation
import Observation
import RouterServiceInterface

/// Shows the top screen on the whole terminal, or in a dialog over the screens below, and takes single keys.
@MainActor
final class FullScreenPresenter: Display.Terminal {
    let stack: ScreenStack
    private let device: any FullScreenDevice
    private let status: (any Display.Status)?
    private let shortcuts: (any Display.Shortcuts)?
    private let surroundings: ObservedValue<(status: Display.Fact?, trace: TraceLines?)>
    private var renderer: Renderer
    private(set) var frame: Frame?
    /// The end is nil until the notice is drawn, because a busy program draws late.
    private var notice: (line: Line, end: ContinuousClock.Instant?)?
    /// Whether the user shows or hides the trace; nil until then.
    private var isTracing: Bool?
    private var typingTarget = TypingTarget.focus
    /// The keys that are not handled yet.
    private var keys: [Key] = []
    /// The screen in whose fields the user types, until the focus leaves its fields.
    private weak var typedOn: StackedScreen?
    /// The size of the terminal, read once for each frame.
    private var size = TerminalDevice.Size(columns: 80, rows: 24)
    private weak var drawnScreen: StackedScreen?
    private let position = SavedPosition()
    private var help: StackedScreen?
    /// Continues with keys, or without keys where screens or their surroundings changed, or time has passed.
    private var report: @Sendable ([Key]) -> Void = { _ in }
    private var timer: Task<Void, Never>?

    init(
        _ device: any FullScreenDevice, stack: ScreenStack = ScreenStack(),
        theme: Theme = Theme(hasColours: false), status: (any Display.Status)? = nil,
        trace: (any Display.Trace)? = nil, shortcuts: (any Display.Shortcuts)? = nil
    ) {
        self.device = device
        self.stack = stack
        self.status = status
        self.shortcuts = shortcuts
        renderer = Renderer(theme)
        surroundings = ObservedValue {
            let lines = trace.map {
                TraceLines(stack: $0.stack, services: $0.services, events: $0.events)
            }
            return (status?.fact, lines)
        }
        let changed: @MainActor () -> Void = { [weak self] in self?.report([]) }
        stack.onChange = changed
        // The service that provides the status may be replaced too.
        stack.onReplacement = surroundings.forget
        surroundings.onChange = changed
    }

    func notify(_ message: String, as role: Display.Role) {
        show("\(role.mark) \(TextLayout.line(message, to: 200))", as: role)
    }
    func confirm(_ question: String) async -> Bool { await stack.ask(question) }
    func perform(_ action: @escaping Display.Action) { stack.request(action) }

    func run(performing action: Display.Action?) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: [Key].self)
        report = { continuation.yield($0) }
        defer {
            report = { _ in }
            timer?.cancel()
            stack.end()
        }
        try stack.begin(performing: action)
        try device.open(reporting: report)
        defer { device.close() }
        renderer.forget()
        do {
            try draw()
            for await typed in events {
                guard try handle(typed), stack.top != nil else { return }
                try draw()
                if !isTyping { typedOn = nil }
                if typedOn == nil, question == nil, let top = stack.top { stack.beginRequest(on: top) }
            }
        } catch let failure as Display.OutputFailure where [EPIPE, EIO].contains(failure.code) {
            // The terminal is closed, and its user is gone.
        }
    }

    // MARK: From a key to a frame

    /// Handles keys in their order; false when the program is to quit.
    ///
    /// Typed characters wait for a screen that is being opened, unless Esc or Ctrl-C, which discards them, follows.
    func handle(_ typed: [Key]) throws -> Bool {
        keys += typed
        let end = keys.lastIndex { $0 == .escape || $0 == .interrupt }
        if let end, mayOpenScreen { keys.removeFirst(end) }
        while let key = keys.first {
            if case .text = key, mayOpenScreen { break }
            // After a secret, a screen takes keys only when it is drawn.
            if typingTarget == .focus, drawnScreen !== stack.top { try draw() }
            keys.removeFirst()
            guard handle(key) else { return false }
        }
        return true
    }

    /// Whether an action may open a screen in a moment, to which the user believes to type.
    private var mayOpenScreen: Bool {
        if question != nil { return false }
        if stack.isOpening { return true }
        return stack.top?.action.map { $0.isBrief && !$0.isAppearance && !$0.isCancelled } == true
    }

    private func handle(_ key: Key) -> Bool {
        guard let screen, key != .interrupt else { return false }
        let secret = question == nil ? secret : nil
        switch typingTarget.decide(on: key, on: screen, secret: secret, isDrawn: drawnScreen === stack.top) {
        case .accept: break
        case .ignore: return true
        case .reject:
            show("! Ignored, because the focus moved: choose a place with Tab or ↑↓.", as: .negative)
            return true
        }
        if question == nil, let field = screen.field, edit(field, with: key, on: screen) { return true }
        switch key {
        case .suspend: device.suspend()
        case .redraw: renderer.forget()
        case .control(let letter): shortcuts?.press(control: letter)
        case .text(let typed):
            // The first character may lead to a field, which takes the others.
            if typed.count > 1 { keys.insert(.text(String(typed.dropFirst())), at: 0) }
            return typed.first.map { command($0, on: screen) } ?? true
        case _ where question != nil: if key == .escape { stack.answer(false) }
        case .escape: goBack(from: screen)
        case .tab: screen.move(Focus.nextElement, by: 1)
        case .backTab: screen.move(Focus.nextElement, by: -1)
        case .click(let column, let row): click(column, row, on: screen)
        case .scroll(let lines): screen.scroll(by: lines, in: panes(of: screen))
        case .down: if !screen.move(Focus.neighbour, by: 1) { screen.scroll(by: 1, in: panes(of: screen)) }
        case .up: if !screen.move(Focus.neighbour, by: -1) { screen.scroll(by: -1, in: panes(of: screen)) }
        case .pageDown: screen.turnPage(by: 1, in: panes(of: screen))
        case .pageUp: screen.turnPage(by: -1, in: panes(of: screen))
        case .home: screen.go(toEnd: false)
        case .end: screen.go(toEnd: true)
        case .enter: if let place = screen.place { act(at: place, on: screen) }
        default: break
        }
        return true
    }

    /// Edits the focused field; false for a key that does not edit.
    private func edit(_ field: Display.Field, with key: Key, on screen: StackedScreen) -> Bool {
        switch screen.edit(with: key, in: panes(of: screen)) {
        case .ignored: return false
        case .moved: break
        case .changed:
            typedOn = stack.top
            notice = nil
        case .refused: show("! \(field.refusal)", as: .negative)
        }
        return true
    }

    func draw() throws {
        guard let frame = nextFrame() else { return }
        self.frame = frame
        drawnScreen = stack.top
        // The pages of the screens below are not requested.
        let focus = stack.screens.map { screen in
            screen === drawnScreen
                ? screen.position.focus.settled(on: screen.page).memory : screen.position.focus.memory
        }
        let state = SavedState(focus: focus, isTracing: isTracing)
        if state != position.state { position.state = state }
        if let text = renderer.draw(frame) { try device.draw(text) }
        if timer == nil, notice != nil || stack.top?.action != nil {
            timer = Task {
                try? await Task.sleep(for: .milliseconds(100))
                timer = nil
                report([])
            }
        }
    }

    func nextFrame() -> Frame? {
        guard let screen else { return nil }
        size = device.size
        if screen.reportFocus() { screen.contentMayHaveChanged() }
        let areas = areas
        var frame = Frame(size)
        for shown in areas.haveRoomForDialogs ? visible[...] : visible.suffix(1) {
            shown.draw(in: panes(of: shown), isActive: shown === screen, on: &frame)
        }
        if let trace, let pane = areas.trace {
            let body = trace.body(rows: pane.content.rows, columns: pane.content.columns)
            frame.draw(body, in: pane, title: "Trace", isActive: false)
        }
        let path = help?.page.title ?? stack.path(columns: size.columns)
        frame.draw(Frame.bar(path: path, status: surroundings.value.status, columns: size.columns), row: 0)
        let footer = footer(of: screen)
        for (offset, line) in footer.enumerated() {
            frame.draw(line, row: size.rows - footer.count + offset)
        }
        return frame
    }

    private var screen: StackedScreen? { help ?? stack.top }
    private var visible: [StackedScreen] { help.map { [$0] } ?? stack.visible }
    private var trace: TraceLines? { showsTrace ? surroundings.value.trace : nil }
    /// By default, a wide terminal shows the trace unless a detail needs the room.
    private var showsTrace: Bool {
        isTracing
            ?? (size.columns >= Pane.wide && help == nil && !stack.visible.contains { $0.page.hasDetail })
    }
    private var areas: Areas { Areas(size, hasTrace: trace != nil) }
    private func panes(of screen: StackedScreen) -> Panes {
        let isDialog = screen !== visible.first && areas.haveRoomForDialogs
        return Panes(of: screen.page, isDialog: isDialog, in: areas)
    }

    /// Whether the user is typing a text, which questions and screens that other programs open must not interrupt.
    private var isTyping: Bool { typedOn != nil && typedOn === stack.top && screen?.field != nil }
    private var question: String? { isTyping ? nil : stack.question }
    private var secret: String? { screen?.field.flatMap { $0.isSecure ? $0.label : nil } }

    // MARK: Actions of keys

    /// Obeys a character that no field takes; false when the program is to quit.
    private func command(_ character: Character, on screen: StackedScreen) -> Bool {
        switch character {
        case "y" where question != nil: stack.answer(true)
        case "n" where question != nil: stack.answer(false)
        case _ where question != nil: break
        case "q" where help == nil: return false
        case "?", "q": help = help == nil ? helpScreen : nil
        case "j": return handle(.down)
        case "k": return handle(.up)
        case "t": isTracing = !showsTrace
        default:
            let choices = screen.page.choices
            if let number = character.wholeNumberValue, choices.indices.contains(number - 1) {
                screen.focus(choices[number - 1])
                act(at: choices[number - 1], on: screen)
            }
        }
        return true
    }

    private var helpScreen: StackedScreen {
        let lines = KeyTable.lines(hasTrace: surroundings.value.trace != nil) + (status?.about ?? [])
        let screen = Display.ContentScreen {
            Display.Content(title: "Keys", elements: lines.map { .text($0) })
        }
        return StackedScreen(screen, as: Presentation(id: 0, style: .root, isRoot: true) {}) {}
    }

    private func goBack(from screen: StackedScreen) {
        typedOn = nil
        if help != nil {
            help = nil
        } else if let action = screen.action, !action.isCancelled {
            screen.cancel()
        } else if !screen.presentation.isRoot {
            screen.leave()
        }
    }

    private func click(_ column: Int, _ row: Int, on screen: StackedScreen) {
        guard question == nil, let place = frame?.place(row: row, column: column),
            screen.page.number(of: place.element) != nil,
            place.row < screen.page.rows(of: place.element)
        else { return }
        screen.focus(place)
        guard screen.page.field(at: place) != nil else { return act(at: place, on: screen) }
        screen.position.editor = nil
    }

    /// Begins the action of Enter at a place; in a field without an action, Enter moves the focus.
    private func act(at place: Place, on screen: StackedScreen) {
        if let choice = screen.page.choice(at: place) {
            typedOn = nil
            screen.screen(of: place).perform(choice.action, from: choice.origin)
        } else {
            screen.move(Focus.nextElement, by: 1)
        }
    }

    /// Shows a notice for a moment.
    private func show(_ notice: String, as role: Display.Role) {
        self.notice = (Line(notice, .role(role)), nil)
        report([])
    }

    private func footer(of screen: StackedScreen) -> [Line] {
        guard let top = stack.top else { return [] }
        if let notice {
            // A user reads about 15 characters in a second.
            let end = notice.end ?? .now + .seconds(max(3, notice.line.columns / 15))
            self.notice = end <= .now ? nil : (notice.line, end)
        }
        if let question { return Frame.question(question, size) }
        let busy = top.action.map {
            Frame.busyLine(after: ContinuousClock.now - $0.start, isCancelled: $0.isCancelled)
        }
        let keys =
            help != nil
            ? [("Esc", "close"), ("↑↓", "scroll")]
            : Frame.keys(of: screen, hasTrace: surroundings.value.trace != nil)
        return [Frame.footer(notice?.line ?? busy ?? waiting, keys: keys, columns: size.columns)]
    }

    /// Reports a question, or a request of another program, that must not interrupt the typing.
    private var waiting: Line? {
        let isInUse = isTyping || stack.top?.isFormInUse == true
        guard isInUse, stack.question != nil || stack.hasRequests else { return nil }
        let subject = stack.question == nil ? "Another program" : "A question"
        return Line("\(subject) waits until you have finished here.", .role(.accent))
    }
}

/// The user's position on the screens, for the process that continues this process.
@Observable
@MainActor
private final class SavedPosition {
    var state: FullScreenPresenter.SavedState?
}

extension FullScreenPresenter: Restorable {
    struct SavedState: Codable, Equatable {
        let focus: [Focus.Memory?]
        let isTracing: Bool?
    }

    // Labels may contain text of the user.
    static var stateScope: StateScope { .memory }

    var savedState: SavedState? { position.state }

    func restore(_ state: SavedState?) {
        stack.resumed = state?.focus ?? []
        isTracing = state?.isTracing
        typingTarget = .resumed
    }
}
