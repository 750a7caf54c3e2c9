import DisplayInterface
import Foundation
import Observation
import RouterServiceInterface

/// Shows the top screen on the whole terminal, or in a dialog over those below, and takes single keys.
///
/// The file reads from a key to a frame: ``follow(_:)``, ``take(_:)``, the actions of keys, ``draw()``.
@MainActor
final class FullScreenPresenter: PresentingTerminal {
    private let stack = ScreenStack()
    private let device: any FullScreenDevice
    private let status: Watched<String?>
    private let trace: Watched<((Panes) -> Body)?>
    private let shortcuts: (any Display.Shortcuts)?
    private let (questions, requests) = (Questions(), Requests())
    private var renderer: Renderer
    /// The last frame that was drawn.
    private(set) var frame: Frame?
    private var notice: Notice?
    private var isTracing = false
    private var aim = Aim.here
    /// The screen in whose fields the user types, until the focus leaves them.
    private weak var typedOn: StackedScreen?
    /// The size of the terminal for the present frame, which is read once: it may change while the frame is made.
    private var size = TerminalDevice.Size(columns: 80, rows: 24)
    /// The screen of the last frame.
    private weak var seen: StackedScreen?
    private let handover = Handover()
    /// The focus of each screen that is still to be shown in place of another process's.
    private var resumed: [Focus.Memory?] = []
    /// The user's position in the help, while it is shown.
    private var help: ScreenView?
    private let helpPage: Page
    private var report: @Sendable (TerminalEvent) -> Void = { _ in }
    private var timer: Task<Void, Never>?

    /// The time that a notice is shown, and the interval at which a spinner turns.
    private static let (noticeTime, tick) = (Duration.seconds(3), Duration.milliseconds(100))

    init(
        _ device: any FullScreenDevice, theme: Theme = Theme(.none), status: (any Display.Status)? = nil,
        trace: (any Display.Trace)? = nil, shortcuts: (any Display.Shortcuts)? = nil
    ) {
        (self.device, self.shortcuts) = (device, shortcuts)
        renderer = Renderer(theme)
        helpPage = Page(
            Display.Content(
                title: "Keys", elements: (KeyTable.lines + (status?.about ?? [])).map { .text($0) }))
        self.status = Watched { status?.text }
        self.trace = Watched {
            guard let trace else { return nil }
            // Read here, so that their changes are observed.
            let seen = (trace.stack, trace.services, trace.events)
            return { Frame.trace(stack: seen.0, services: seen.1, events: seen.2, in: $0) }
        }
    }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try stack.show(screen, as: presentation)
        if !resumed.isEmpty { stack.top?.view.focus = Focus(resumed.removeFirst()) }
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        try stack.replace(screens)
        // The status may come from a service that was replaced too.
        status.forget()
    }

    func remove(_ presentations: [Presentation.ID]) {
        stack.remove(presentations)
    }

    func notify(_ message: String) {
        showNotice(Line("✓ \(TextLayout.line(message, to: 200))", .accent))
    }

    func confirm(_ question: String) async -> Bool {
        await questions.ask(question)
    }

    func perform(_ action: @escaping Display.Action) {
        requests.add(action)
    }

    func run(performing action: Display.Action?) async throws {
        guard let first = stack.top else { throw TerminalFailure.nothingToShow }
        let (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
        questions.begin()
        report = { continuation.yield($0) }
        let changed: @MainActor () -> Void = { continuation.yield(.changed) }
        stack.onChange = changed
        status.onChange = changed
        trace.onChange = changed
        (questions.onChange, requests.onChange) = (changed, changed)
        defer {
            stack.onChange = {}
            status.onChange = {}
            trace.onChange = {}
            (questions.onChange, requests.onChange) = ({}, {})
            report = { _ in }
            timer?.cancel()
            questions.end()
            stack.cancel()
        }
        try device.open(reporting: report)
        defer { device.close() }
        if let action {
            aim = .opening
            first.performNext { [weak self] in
                self?.aim = .here
                try await action()
            }
        }
        do {
            try await handle(events)
        } catch let failure as Display.OutputFailure where [EPIPE, EIO].contains(failure.code) {
            // The terminal is closed, and its user gone.
        }
    }

    // MARK: From a key to a frame

    private func handle(_ events: AsyncStream<TerminalEvent>) async throws {
        renderer.forget()
        try draw()
        for await event in events {
            if device.isInterrupted { return }
            switch event {
            case .keys(let keys): guard keys.allSatisfy(handle) else { return }
            case .damaged: renderer.forget()
            case .tick: timer = nil
            case .changed: break
            case .inputEnded: return
            }
            guard stack.top != nil else { return }
            try draw()
            if !isTyping { typedOn = nil }
            if typedOn == nil, question == nil, let active = stack.active { requests.begin(on: active) }
        }
    }

    /// Handles a key.
    ///
    /// - Returns: False when the program is to quit.
    func handle(_ key: Key) -> Bool {
        guard let screen = stack.active, key != .interrupt else { return false }
        guard isAimed(key, on: screen) else { return true }
        switch key {
        case .suspend: device.suspend()
        case .redraw: renderer.forget()
        case .control(let letter): shortcuts?.press(control: letter)
        case .text(let typed) where field == nil || question != nil: return command(typed, on: screen)
        case _ where question != nil: if key == .escape { questions.answer(false) }
        case .escape: goBack(from: screen)
        case .tab: move { Focus.nextElement(after: $0, by: 1, on: $1) }
        case .backTab: move { Focus.nextElement(after: $0, by: -1, on: $1) }
        case .up, .down, .pageUp, .pageDown, .enter: if !edit(with: key, on: screen) { go(key, on: screen) }
        case .home where field == nil: go(toEnd: false)
        case .end where field == nil: go(toEnd: true)
        case .click(let column, let row): click(column, row, on: screen)
        case .scroll(let lines): scroll(by: lines)
        default: edit(with: key, on: screen)
        }
        return true
    }

    /// Handles a movement key or Enter that the focused field does not take.
    private func go(_ key: Key, on screen: StackedScreen) {
        switch key {
        case .down: if !move({ Focus.neighbour(of: $0, by: 1, on: $1) }) { scroll(by: 1) }
        case .up: if !move({ Focus.neighbour(of: $0, by: -1, on: $1) }) { scroll(by: -1) }
        case .pageDown: turnPage(by: 1)
        case .pageUp: turnPage(by: -1)
        default: if let place { act(at: place, on: screen) }
        }
    }

    /// Lays out the visible content, and draws the lines that have changed.
    func draw() throws {
        guard let frame = nextFrame() else { return }
        self.frame = frame
        seen = stack.active
        handover.note(
            stack.screens.map(\.view.focus.memory), secret: field?.isSecure == true ? field?.label : nil)
        if let text = renderer.draw(frame) { try device.draw(text) }
        if timer == nil, notice != nil || stack.active?.busy != nil {
            timer = Task { [report] in
                try? await Task.sleep(for: Self.tick)
                report(.tick)
            }
        }
    }

    /// The frame that shows the current state.
    func nextFrame() -> Frame? {
        guard let screen = stack.active else { return nil }
        size = device.size
        view.focus.settle(on: page)
        reportFocus()
        let areas = areas
        if let field { updateText(of: field) }
        var body = body(areas)
        if isTracing, let trace = trace.value { body = body.joined(by: trace(areas.panes), in: areas.panes) }
        let path = help == nil ? stack.path(columns: areas.size.columns) : page.title
        let status = TextLayout.line(status.value ?? "", to: areas.size.columns)
        return Frame(
            areas, bar: Frame.bar(path: path, status: status, columns: areas.size.columns), body: body,
            footer: footer(of: screen, areas.size))
    }

    // MARK: The user's position

    private var page: Page { help == nil ? stack.active?.page ?? helpPage : helpPage }

    private var view: ScreenView {
        get { help ?? stack.active?.view ?? ScreenView() }
        set { if help == nil { stack.active?.view = newValue } else { help = newValue } }
    }

    private var place: Place? { view.focus.place(on: page) }
    private var field: Display.Field? { page.field(at: place) }
    private var areas: Frame.Areas { Frame.Areas(size, hasTrace: isTracing && trace.value != nil) }
    /// The window of the active screen.
    private var window: Window {
        let (areas, levels) = (areas, help == nil ? stack.levels : [])
        return Window(
            of: page, beside: levels.last ?? [], isDialog: levels.count > 1 && areas.haveRoomForDialogs,
            in: areas)
    }
    /// The elements of the pane with the focus.
    private var pane: Range<Int> { place.map { page.pane(of: $0.element) } ?? page.own }
    private var isInDetail: Bool { pane != page.own }
    /// The first visible line of the pane.
    private var top: ScrollPosition {
        get { isInDetail ? view.detailTop : view.top }
        set { if isInDetail { view.detailTop = newValue } else { view.top = newValue } }
    }

    private func updateText(of field: Display.Field) {
        var editor = view.editor ?? TextEditor(field)
        // When a field disappears, the focus may move to one of another kind.
        if editor.isMultiline != (field.rows > 1) { editor = TextEditor(field) }
        editor.update(to: field.text)
        view.editor = editor
    }

    /// The layout of the pane with the focus.
    private func layout(_ panes: Panes) -> Layout { layout(of: pane, panes) }

    private func layout(of pane: Range<Int>, _ panes: Panes) -> Layout {
        Layout(
            page, pane: pane, columns: pane == page.own ? panes.mainColumns : panes.detailColumns,
            focus: place, editor: field == nil ? nil : view.editor)
    }

    /// The rows of the pane with the focus.
    private func rows(_ panes: Panes) -> Int {
        !isInDetail || panes.detailRows == 0 ? panes.mainRows : panes.detailRows
    }

    /// The visible part of the active screen, over those below it where it is a dialog.
    private func body(_ areas: Frame.Areas) -> Body {
        var below = Body()
        if help == nil, areas.haveRoomForDialogs {
            for (index, level) in stack.levels.dropLast().enumerated() {
                let window = Window(of: level[0].page, beside: level, isDialog: index > 0, in: areas)
                below = window.framed(level[0].body(in: window.panes), over: below)
            }
        }
        let window = window
        return window.framed(body(window.panes), over: below)
    }

    /// The visible part of the page; a detail without the focus is shown from its start.
    private func body(_ panes: Panes) -> Body {
        let focused = layout(panes).body(
            height: rows(panes), from: top, revealing: view.followsFocus ? place : nil)
        top = focused.top
        if let areaTop = focused.areaTop { view.editor?.top = areaTop }
        guard panes.detailRows > 0 else { return focused }
        if isInDetail {
            let main = layout(of: page.own, panes).body(
                height: panes.mainRows, from: view.top, revealing: nil)
            return main.joined(by: focused, in: panes)
        }
        view.detailTop = ScrollPosition()
        let detail = layout(of: page.beside, panes)
            .body(height: panes.detailRows, from: ScrollPosition(), revealing: nil)
        return focused.joined(by: detail, in: panes)
    }

    /// Notifies a row that it has received the focus.
    private func reportFocus() {
        guard help == nil, let place, let target = Focus.target(at: place, on: page), target != view.focused
        else { return }
        view.focused = target
        guard let onFocus = page.onFocus(at: place) else { return }
        onFocus()
        stack.current.forEach { $0.contentMayHaveChanged() }
    }

    // MARK: Where the user types

    /// Whether the user types a text, which goes to no question and to no screen that another program opens.
    private var isTyping: Bool { typedOn != nil && typedOn === stack.active && field != nil }
    /// The question that the user is to answer now.
    private var question: String? { isTyping ? nil : questions.first }

    /// Whether a key goes where the user believes to type, who may not look at the screen.
    ///
    /// What begins in a secure field goes on nowhere else, whatever moves the focus: typed characters are ignored until
    /// a key of the user moves it. In place of another process, everything is ignored until a frame shows its top
    /// screen; typed characters then reach the element that had the focus, but beside a secure field only that field:
    /// the key that was to move the focus there may be lost.
    private func isAimed(_ key: Key, on screen: StackedScreen) -> Bool {
        switch key {
        case .suspend, .redraw, .control: return true
        case .escape where aim == .opening: return true
        case _ where aim == .opening || (aim != .here && seen !== screen): return false
        case .left, .right, .wordLeft, .wordRight, .home, .end, .scroll: return true
        case .text, .paste, .oversizedPaste, .enter, .backspace, .delete, .eraseWord, .eraseToStart,
            .eraseToEnd:
            let secret = question == nil && field?.isSecure == true ? field?.label : nil
            let isHere =
                switch aim {
                case .here, .opening: true
                case .secret(let label): label == secret
                case .resumed: secret != nil || (view.focus.isFound(on: page) && !page.hasSecret)
                }
            if isHere {
                aim = key == .enter ? .here : secret.map(Aim.secret) ?? .here
            } else {
                showNotice(Line("! Ignored, because the focus moved: choose a place with Tab or ↑↓.", .error))
            }
            return isHere
        default:
            aim = .here
            return true
        }
    }

    // MARK: Actions of keys

    /// Handles letters and digits that no field takes.
    private func command(_ typed: String, on screen: StackedScreen) -> Bool {
        for index in typed.indices {
            // One of them may have moved the focus to a field, which takes the others.
            if field != nil, question == nil { return handle(.text(String(typed[index...]))) }
            switch typed[index] {
            case "y" where question != nil: questions.answer(true)
            case "n" where question != nil: questions.answer(false)
            case _ where question != nil: continue
            case "?": help = help == nil ? ScreenView() : nil
            case "q":
                guard help != nil else { return false }
                help = nil
            case "j": _ = handle(.down)
            case "k": _ = handle(.up)
            case "t": isTracing = !isTracing && trace.value != nil
            case let key:
                if let number = key.wholeNumberValue, page.choices.indices.contains(number - 1) {
                    act(at: page.choices[number - 1], on: screen)
                } else if let button = page.keys[key] {
                    screen.perform(button.action)
                }
            }
        }
        return true
    }

    private func goBack(from screen: StackedScreen) {
        typedOn = nil
        if help != nil {
            help = nil
        } else if let busy = screen.busy, !busy.isCancelled {
            screen.cancel()
        } else if let top = stack.top, !top.presentation.isRoot {
            top.leave()
        }
    }

    /// Moves the focus to another place.
    ///
    /// - Returns: False when the focus stays where it is.
    @discardableResult
    private func move(_ other: (Place, Page) -> Place?) -> Bool {
        guard let place, let next = other(place, page), next != place else { return false }
        focus(next)
        return true
    }

    private func focus(_ place: Place) {
        view.focus.put(place, on: page)
        view.editor = nil
        view.followsFocus = true
    }

    private func scroll(by lines: Int) {
        let panes = window.panes
        top = layout(panes).scrolled(top, by: lines, height: rows(panes))
        view.followsFocus = false
    }

    /// Scrolls by a page, and moves the focus along.
    private func turnPage(by step: Int) {
        let former = top
        let panes = window.panes
        scroll(by: step * max(1, rows(panes) - 1))
        guard let place else { return }
        guard top != former else { return go(toEnd: step > 0) }
        let seen = layout(panes).body(height: rows(panes), from: top, revealing: nil).lines
            .compactMap { $0.spans.first?.place }
        guard !seen.contains(place), let next = step > 0 ? seen.first : seen.last else { return }
        focus(next)
        view.followsFocus = false
    }

    private func go(toEnd: Bool) {
        let pane = pane
        let target =
            toEnd ? page.targets.last(where: pane.contains) : page.targets.first(where: pane.contains)
        if let target { focus(Place(element: target, row: toEnd ? page.rows(of: target) - 1 : 0)) }
        top = toEnd ? .end : ScrollPosition()
        view.followsFocus = false
    }

    private func click(_ column: Int, _ row: Int, on screen: StackedScreen) {
        guard question == nil, let frame, frame.lines.indices.contains(row),
            let place = frame.lines[row].place(at: column), page.number(of: place.element) != nil,
            place.row < page.rows(of: place.element)
        else { return }
        focus(place)
        if page.field(at: place) == nil { act(at: place, on: screen) }
    }

    private func act(at place: Place, on screen: StackedScreen) {
        let field = page.field(at: place)
        if place != self.place { focus(place) }
        view.focus.put(place, on: page)
        view.followsFocus = true
        if let action = page.action(at: place) ?? field?.submit {
            typedOn = nil
            screen.screen(of: place).perform(action)
        } else {
            move { Focus.nextElement(after: $0, by: 1, on: $1) }
        }
    }

    /// Edits the focused field, unless an action of the user runs, which may be using its text.
    ///
    /// - Returns: False for a key that edits nothing there.
    @discardableResult
    private func edit(with key: Key, on screen: StackedScreen) -> Bool {
        guard let field, let place else { return false }
        updateText(of: field)
        guard var editor = view.editor else { return false }
        let lines = field.rows > 1 ? layout(window.panes).textLines(at: place.element) : nil
        let outcome = editor.apply(key, limit: field.limit, in: lines.map { ($0, field.rows) })
        guard outcome != .ignored else { return false }
        let screen = screen.screen(of: place)
        if screen.isActing { return true }
        view.focus.put(place, on: page)
        view.followsFocus = true
        view.editor = editor
        switch outcome {
        case .changed:
            typedOn = stack.active
            if notice?.isRefusal == true { notice = nil }
            screen.edit(field, to: editor.text)
        case .refused: showNotice(Line("! \(field.refusal)", .error))
        case .moved, .ignored: break
        }
        return true
    }

    // MARK: The bottom line

    private func showNotice(_ line: Line) {
        notice = Notice(line: line, end: .now + Self.noticeTime)
        report(.changed)
    }

    private func footer(of screen: StackedScreen, _ size: TerminalDevice.Size) -> [Line] {
        if notice?.isOver(on: screen) == true { notice = nil }
        if let question { return Frame.question(question, size) }
        return [Frame.footer(message(of: screen), keys: keys(of: screen), columns: size.columns)]
    }

    private func message(of screen: StackedScreen) -> Line? {
        guard notice == nil, let busy = screen.busy else { return notice?.line }
        return Frame.busyLine(after: ContinuousClock.now - busy.start, isCancelled: busy.isCancelled)
    }

    /// The keys that apply now, the more important ones first.
    private func keys(of screen: StackedScreen) -> [Frame.KeyHelp] {
        if help != nil { return [Frame.KeyHelp("Esc", "close"), Frame.KeyHelp("↑↓", "scroll")] }
        var keys: [Frame.KeyHelp] = []
        let isCancelled = screen.busy?.isCancelled
        if let isCancelled {
            if !isCancelled { keys.append(Frame.KeyHelp("Esc", "cancel")) }
        } else if let field {
            let action = field.rows > 1 ? "new line" : field.submit == nil ? "next" : "submit"
            keys.append(Frame.KeyHelp("Enter", short: "↵", action))
        } else if place != nil {
            keys.append(Frame.KeyHelp("Enter", short: "↵", "choose"))
        }
        if stack.top?.presentation.isRoot == false, isCancelled ?? true {
            keys.append(Frame.KeyHelp("Esc", stack.top === screen ? "back" : "close"))
        }
        if field == nil {
            keys += [Frame.KeyHelp("q", "quit"), Frame.KeyHelp("?", "keys")]
            keys += page.keys.sorted { $0.key < $1.key }.map { Frame.KeyHelp("\($0.key)", $0.value.title) }
        } else {
            keys.append(Frame.KeyHelp("Ctrl-C", short: "^C", "quit"))
        }
        return keys + (place == nil ? [] : [Frame.KeyHelp("↑↓ Tab", short: "↑↓", "move")])
    }
}

/// A notice in the bottom line, which belongs to the screen on which it is seen.
@MainActor
private struct Notice {
    let line: Line
    let end: ContinuousClock.Instant
    /// The first screen on which it was seen while nothing ran; one that is being left does not count.
    private var screen: Presentation.ID?

    init(line: Line, end: ContinuousClock.Instant) { (self.line, self.end) = (line, end) }

    /// Whether it says why a key had no effect.
    var isRefusal: Bool { line.spans.first?.style == .error }

    /// Whether its time is over, or the user has gone to another screen.
    mutating func isOver(on shown: StackedScreen) -> Bool {
        if screen == nil, shown.isIdle { screen = shown.presentation.id }
        return end <= .now || screen != nil && screen != shown.presentation.id
    }
}

/// Where the user believes to type.
private enum Aim: Equatable {
    /// Where the focus is.
    case here
    /// On a screen that is still to be opened.
    case opening
    /// On the screen of another process, in whose place this one is.
    case resumed
    /// In the secure field with a label.
    case secret(String)
}

/// The user's position on the screens, for a process that takes the place of this one.
@Observable
@MainActor
private final class Handover {
    private(set) var state: FullScreenPresenter.SavedState?

    func note(_ focus: [Focus.Memory?], secret: String?) {
        let new = FullScreenPresenter.SavedState(focus: focus, secret: secret)
        if new != state { state = new }
    }
}

extension FullScreenPresenter: Restorable {
    struct SavedState: Codable, Equatable {
        /// The focus of each screen.
        let focus: [Focus.Memory?]
        /// The label of the secure field that has the focus.
        let secret: String?
    }

    // Labels may be texts of the user.
    static var stateScope: StateScope { .memory }

    var savedState: SavedState? { handover.state }

    /// Takes over the user's position on the screens that are shown next.
    func restore(_ state: SavedState?) {
        resumed = state?.focus ?? []
        aim = state?.secret.map(Aim.secret) ?? .resumed
    }
}

extension Display.Field {
    /// The message that a text does not fit.
    var refusal: String { "Too long: at most \(limit) characters fit here; shorten it." }
}
