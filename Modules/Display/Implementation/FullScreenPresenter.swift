import DisplayInterface
import Foundation
import Observation
import RouterServiceInterface

/// Shows the top screen on the whole terminal, or in a dialog over the screens below, and takes single keys.
@MainActor
final class FullScreenPresenter: PresentingTerminal {
    let stack = ScreenStack()
    private let device: any FullScreenDevice
    private let status: (any Display.Status)?
    private let shortcuts: (any Display.Shortcuts)?
    private let surroundings: ObservedValue<(status: String?, trace: TraceLines?)>
    private var renderer: Renderer
    private(set) var frame: Frame?
    private var notice: Notice?
    /// Whether the user shows or hides the trace; nil until then.
    private var isTracing: Bool?
    private var typingTarget = TypingTarget.focus
    /// The screen in whose fields the user types, until the focus leaves its fields.
    private weak var typedOn: StackedScreen?
    /// The size of the terminal, read once for each frame.
    private var size = TerminalDevice.Size(columns: 80, rows: 24)
    private weak var drawnScreen: StackedScreen?
    private let position = SavedPosition()
    private var help: StackedScreen?
    private var report: @Sendable (TerminalEvent) -> Void = { _ in }
    private var timer: Task<Void, Never>?

    private static let noticeTime = Duration.seconds(3)
    private static let tick = Duration.milliseconds(100)

    init(
        _ device: any FullScreenDevice, theme: Theme = Theme(hasColours: false),
        status: (any Display.Status)? = nil,
        trace: (any Display.Trace)? = nil, shortcuts: (any Display.Shortcuts)? = nil
    ) {
        self.device = device
        self.status = status
        self.shortcuts = shortcuts
        renderer = Renderer(theme)
        surroundings = ObservedValue {
            let lines = trace.map {
                TraceLines(stack: $0.stack, services: $0.services, events: $0.events)
            }
            return (status?.text, lines)
        }
        let changed: @MainActor () -> Void = { [weak self] in self?.report(.changed) }
        stack.onChange = changed
        surroundings.onChange = changed
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        try stack.replace(screens)
        // The status may come from a service that was replaced too.
        surroundings.forget()
    }

    func notify(_ message: String) {
        showNotice(Line("✓ \(TextLayout.line(message, to: 200))", .role(.positive)))
    }

    func run(performing action: Display.Action?) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
        report = { continuation.yield($0) }
        defer {
            report = { _ in }
            timer?.cancel()
            stack.end()
        }
        var opening = action
        if let action {
            typingTarget = .opening
            opening = { [weak self] in
                self?.typingTarget = .focus
                try await action()
            }
        }
        try stack.begin(performing: opening)
        try device.open(reporting: report)
        defer { device.close() }
        do {
            try await handle(events)
        } catch let failure as Display.OutputFailure where [EPIPE, EIO].contains(failure.code) {
            // The terminal is closed, and its user is gone.
        }
    }

    // MARK: From a key to a frame

    private func handle(_ events: AsyncStream<TerminalEvent>) async throws {
        renderer.forget()
        try draw()
        for await event in events {
            switch event {
            case .keys(let keys): guard keys.allSatisfy(handle) else { return }
            case .damaged: renderer.forget()
            case .changed: break
            }
            guard stack.top != nil else { return }
            try draw()
            if !isTyping { typedOn = nil }
            if typedOn == nil, question == nil, let top = stack.top { stack.beginRequest(on: top) }
        }
    }

    /// Handles a key; false when the program is to quit.
    func handle(_ key: Key) -> Bool {
        guard let screen, key != .interrupt else { return false }
        guard isExpected(key, on: screen) else { return true }
        switch key {
        case .suspend: device.suspend()
        case .redraw: renderer.forget()
        case .control(let letter): shortcuts?.press(control: letter)
        case .text(let typed) where screen.field == nil || question != nil: return command(typed)
        case _ where question != nil: if key == .escape { stack.answer(false) }
        case .escape: goBack(from: screen)
        case .tab: screen.move(Focus.nextElement, by: 1)
        case .backTab: screen.move(Focus.nextElement, by: -1)
        case .up, .down, .pageUp, .pageDown, .enter: if !edit(with: key, on: screen) { go(key, on: screen) }
        case .home where screen.field == nil: screen.go(toEnd: false)
        case .end where screen.field == nil: screen.go(toEnd: true)
        case .click(let column, let row): click(column, row, on: screen)
        case .scroll(let lines): screen.scroll(by: lines, in: panes(of: screen))
        default: edit(with: key, on: screen)
        }
        return true
    }

    /// Handles a movement key or Enter that the focused field does not take.
    private func go(_ key: Key, on screen: StackedScreen) {
        switch key {
        case .down: if !screen.move(Focus.neighbour, by: 1) { screen.scroll(by: 1, in: panes(of: screen)) }
        case .up: if !screen.move(Focus.neighbour, by: -1) { screen.scroll(by: -1, in: panes(of: screen)) }
        case .pageDown: screen.turnPage(by: 1, in: panes(of: screen))
        case .pageUp: screen.turnPage(by: -1, in: panes(of: screen))
        default: if let place = screen.place { act(at: place, on: screen) }
        }
    }

    func draw() throws {
        guard let frame = nextFrame() else { return }
        self.frame = frame
        drawnScreen = stack.top
        // The pages of the screens below are not evaluated.
        let focus = stack.screens.map { screen in
            screen === drawnScreen
                ? screen.position.focus.settled(on: screen.page).memory : screen.position.focus.memory
        }
        let state = SavedState(focus: focus, secret: secret)
        if state != position.state { position.state = state }
        if let text = renderer.draw(frame) { try device.draw(text) }
        if timer == nil, notice != nil || stack.top?.action != nil {
            timer = Task {
                try? await Task.sleep(for: Self.tick)
                timer = nil
                report(.changed)
            }
        }
    }

    func nextFrame() -> Frame? {
        guard let screen else { return nil }
        size = device.size
        if let frame = Frame.tooSmall(size) { return frame }
        if screen.reportFocus() { screen.contentMayHaveChanged() }
        let areas = areas
        var frame = Frame(size)
        for shown in areas.haveRoomForDialogs ? visible[...] : visible.suffix(1) {
            window(of: shown).draw(isActive: shown === screen, on: &frame)
        }
        if let trace, let pane = areas.trace {
            let body = trace.body(rows: pane.content.rows, columns: pane.content.columns)
            frame.draw(body, in: pane, title: "Trace", isActive: false)
        }
        let path = help?.page.title ?? stack.path(columns: size.columns)
        let status = TextLayout.line(surroundings.value.status ?? "", to: size.columns)
        frame.draw(Frame.bar(path: path, status: status, columns: size.columns), row: 0)
        let footer = footer(of: screen)
        for (offset, line) in footer.enumerated() {
            frame.draw(line, row: size.rows - footer.count + offset)
        }
        return frame
    }

    // MARK: What is shown

    private var screen: StackedScreen? { help ?? stack.top }
    private var visible: [StackedScreen] { help.map { [$0] } ?? stack.visible }
    private var trace: TraceLines? { showsTrace ? surroundings.value.trace : nil }
    /// By default, a wide terminal shows the trace where no preview needs the room.
    private var showsTrace: Bool {
        isTracing ?? (size.columns >= Pane.wide && stack.top?.page.hasDetail == false && help == nil)
    }
    private var areas: Areas { Areas(size, hasTrace: trace != nil) }
    private func panes(of screen: StackedScreen) -> Panes { window(of: screen).panes }

    private func window(of screen: StackedScreen) -> Window {
        Window(of: screen, isDialog: screen !== visible.first && areas.haveRoomForDialogs, in: areas)
    }

    // MARK: Where the user types

    /// Whether the user is typing a text, which questions and screens that other programs open must not interrupt.
    private var isTyping: Bool { typedOn != nil && typedOn === stack.top && screen?.field != nil }
    private var question: String? { isTyping ? nil : stack.question }
    private var secret: String? { screen?.field.flatMap { $0.isSecure ? $0.label : nil } }

    /// Whether a key goes where the user, who may not look at the screen, believes to type.
    ///
    /// Typing that begins in a secure field must not continue elsewhere: when the focus was moved, typed characters are ignored
    /// until a key of the user moves it. A process that continues another one ignores keys until its first frame. Typed
    /// characters then reach the element that had the focus; on a screen with a secure field, only that field, because the key
    /// that moved the focus there may be lost.
    private func isExpected(_ key: Key, on screen: StackedScreen) -> Bool {
        switch key {
        case .suspend, .redraw, .control: return true
        case .escape where typingTarget == .opening: return true
        case _ where typingTarget == .opening: return false
        case _ where typingTarget != .focus && drawnScreen !== stack.top: return false
        case .left, .right, .wordLeft, .wordRight, .home, .end, .scroll: return true
        case .text, .paste, .enter, .backspace, .delete, .eraseWord, .eraseToStart, .eraseToEnd:
            let secret = question == nil ? secret : nil
            let isExpected =
                switch typingTarget {
                case .focus, .opening: true
                case .secureField(let label): label == secret
                case .resumed:
                    secret != nil
                        || (screen.position.focus.isFound(on: screen.page) && !screen.page.hasSecret)
                }
            if isExpected {
                typingTarget = key == .enter ? .focus : secret.map(TypingTarget.secureField) ?? .focus
            } else {
                showNotice(
                    Line(
                        "! Ignored, because the focus moved: choose a place with Tab or ↑↓.", .role(.negative)
                    ))
            }
            return isExpected
        default:
            typingTarget = .focus
            return true
        }
    }

    // MARK: Actions of keys

    private func command(_ typed: String) -> Bool {
        for index in typed.indices {
            guard let screen else { return false }
            // A character may have moved the focus to a field, which takes the following ones.
            if screen.field != nil, question == nil { return handle(.text(String(typed[index...]))) }
            switch typed[index] {
            case "y" where question != nil: stack.answer(true)
            case "n" where question != nil: stack.answer(false)
            case _ where question != nil: continue
            case "?": help = help == nil ? helpScreen : nil
            case "q":
                guard help != nil else { return false }
                help = nil
            case "j": _ = handle(.down)
            case "k": _ = handle(.up)
            case "t": isTracing = !showsTrace
            case let key:
                let page = screen.page
                if let number = key.wholeNumberValue, page.choices.indices.contains(number - 1) {
                    act(at: page.choices[number - 1], on: screen)
                }
            }
        }
        return true
    }

    private var helpScreen: StackedScreen {
        let lines = KeyTable.lines + (status?.about ?? [])
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
        } else if let top = stack.top, !top.presentation.isRoot {
            top.leave()
        }
    }

    private func click(_ column: Int, _ row: Int, on screen: StackedScreen) {
        guard question == nil, let place = frame?.place(row: row, column: column),
            screen.page.number(of: place.element) != nil,
            place.row < screen.page.rows(of: place.element)
        else { return }
        guard screen.page.field(at: place) != nil else { return act(at: place, on: screen) }
        screen.focus(place)
        screen.position.editor = nil
    }

    private func act(at place: Place, on screen: StackedScreen) {
        let field = screen.page.field(at: place)
        screen.focus(place)
        if let action = screen.page.action(at: place) ?? field?.submit {
            typedOn = nil
            screen.screen(of: place).perform(action, from: screen.page.origin(of: place))
        } else {
            screen.move(Focus.nextElement, by: 1)
        }
    }

    /// Edits the focused field; false for a key that does not edit.
    @discardableResult
    private func edit(with key: Key, on screen: StackedScreen) -> Bool {
        switch screen.edit(with: key, in: panes(of: screen)) {
        case .ignored: return false
        case .moved: break
        case .changed:
            typedOn = stack.top
            if notice?.isRefusal == true { notice = nil }
        case .refused:
            if let field = screen.field { showNotice(Line("! \(field.refusal)", .role(.negative))) }
        }
        return true
    }

    // MARK: The bottom line

    private func showNotice(_ line: Line) {
        notice = Notice(line: line, deadline: .now + Self.noticeTime)
        report(.changed)
    }

    private func footer(of screen: StackedScreen) -> [Line] {
        guard let shown = stack.top else { return [] }
        if notice?.isOver(on: shown) == true { notice = nil }
        if let question { return Frame.question(question, size) }
        let busy = shown.action.map {
            Frame.busyLine(after: ContinuousClock.now - $0.start, isCancelled: $0.isCancelled)
        }
        return [Frame.footer(notice?.line ?? busy, keys: keys(of: screen), columns: size.columns)]
    }

    private func keys(of screen: StackedScreen) -> [Frame.KeyHelp] {
        if help != nil { return [Frame.KeyHelp("Esc", "close"), Frame.KeyHelp("↑↓", "scroll")] }
        let (field, place) = (screen.field, screen.place)
        var keys: [Frame.KeyHelp] = []
        let isCancelled = screen.action?.isCancelled
        if let isCancelled {
            if !isCancelled { keys.append(Frame.KeyHelp("Esc", "cancel")) }
        } else if let field {
            let action = field.rows > 1 ? "new line" : field.submit == nil ? "next" : "submit"
            keys.append(Frame.KeyHelp("Enter", short: "↵", action))
        } else if place != nil {
            keys.append(Frame.KeyHelp("Enter", short: "↵", "choose"))
        }
        if stack.top?.presentation.isRoot == false, isCancelled ?? true {
            keys.append(Frame.KeyHelp("Esc", "back"))
        }
        if field == nil {
            keys += [Frame.KeyHelp("q", "quit"), Frame.KeyHelp("?", "keys")]
            if surroundings.value.trace != nil { keys.append(Frame.KeyHelp("t", "trace")) }
        } else {
            keys.append(Frame.KeyHelp("Ctrl-C", short: "^C", "quit"))
        }
        return keys + (place == nil ? [] : [Frame.KeyHelp("↑↓ Tab", short: "↑↓", "move")])
    }
}

@MainActor
private struct Notice {
    let line: Line
    let deadline: ContinuousClock.Instant
    /// The first idle screen below which the notice is shown; a screen that is being left is not idle.
    var screen: Presentation.ID?

    /// Whether the notice explains why a key had no effect.
    var isRefusal: Bool { line.spans.first?.style == .role(.negative) }

    /// Whether the time of the notice is over, or the user has gone to another screen.
    mutating func isOver(on shown: StackedScreen) -> Bool {
        if screen == nil, shown.isIdle { screen = shown.presentation.id }
        return deadline <= .now || screen != nil && screen != shown.presentation.id
    }
}

/// Where the user believes to type.
private enum TypingTarget: Equatable {
    case focus
    case opening
    case resumed
    case secureField(String)
}

/// The user's position on the screens, for a process that continues this one.
@Observable
@MainActor
private final class SavedPosition {
    var state: FullScreenPresenter.SavedState?
}

extension FullScreenPresenter: Restorable {
    struct SavedState: Codable, Equatable {
        let focus: [Focus.Memory?]
        let secret: String?
    }

    // Labels may contain text of the user.
    static var stateScope: StateScope { .memory }

    var savedState: SavedState? { position.state }

    func restore(_ state: SavedState?) {
        stack.resumed = state?.focus ?? []
        typingTarget = state?.secret.map(TypingTarget.secureField) ?? .resumed
    }
}

extension Display.Field {
    var refusal: String { "Too long: at most \(limit) characters fit here; shorten it." }
}
