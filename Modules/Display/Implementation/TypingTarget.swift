import DisplayInterface

/// The place where the user, who may not look at the screen, expects to type.
///
/// Typing that begins in a secure field must not continue elsewhere: when the focus was moved, typed characters are rejected
/// until a key of the user moves it. A process that continues another one ignores keys until its first frame. Typed
/// characters then reach the element that had the focus; on a screen with a secure field, only that field, because the key
/// that moved the focus there may be lost.
enum TypingTarget: Equatable {
    case focus
    /// The focus of a process that this process continues.
    case resumed
    case secureField(String)

    enum Decision {
        case accept, ignore, reject
    }

    /// Decides whether a key is handled on a screen, whose secure field may have the focus.
    @MainActor
    mutating func decide(
        on key: Key, on screen: StackedScreen, secret: String?, isDrawn: Bool
    ) -> Decision {
        switch key {
        case .suspend, .redraw, .control: return .accept
        case _ where self != .focus && !isDrawn: return .ignore
        case .left, .right, .wordLeft, .wordRight, .home, .end, .scroll: return .accept
        case .text, .paste, .enter, .backspace, .delete, .eraseWord, .eraseToStart, .eraseToEnd:
            let isExpected =
                switch self {
                case .focus: true
                case .secureField(let label): label == secret
                case .resumed:
                    screen.position.focus.isFound(on: screen.page)
                        && (secret != nil || !screen.page.hasSecret)
                }
            guard isExpected else { return .reject }
            self = key == .enter ? .focus : secret.map(Self.secureField) ?? .focus
            return .accept
        default:
            self = .focus
            return .accept
        }
    }
}
