import RouterServiceInterface

/// An element of the stack: a shown route, its present screen, and the caller that waits for its output.
@MainActor
final class StackEntry {
    let id: Presentation.ID
    let route: any Route
    let style: PresentationStyle
    /// Whether nothing is below the screen, so that it cannot be left.
    var isRoot = false
    /// Receives the output, or an error in place of the output; nil as soon as the wait has ended.
    private var receiver: OutputReceiver?
    /// The place on the stack; nil for an entry that is embedded, or gone.
    var position: Int?
    weak var parent: (any AnyScreenContext)?
    var shown: ShownScreen

    init<R: Route>(
        id: Presentation.ID, context: ScreenContext<R>, style: PresentationStyle,
        for receiver: OutputReceiver?
    ) {
        self.id = id
        route = context.route
        self.style = style
        self.receiver = receiver
        shown = ShownScreen(context: context)
        context.entry = self
    }

    // A released router leaves no caller waiting.
    deinit {
        guard let receiver else { return }
        Task { @MainActor in receiver(.failure(RouterError.routerReleased)) }
    }

    /// Ends the wait for the output.
    func deliver(_ result: Result<any Sendable, any Error>) { receiver.take()?(result) }

    var routeType: TypeKey { TypeKey(type(of: route)) }

    var isThere: Bool { position != nil || parent != nil }

    /// The entry, and the entries that are embedded in its screen, at any depth.
    var withChildren: [StackEntry] { [self] + shown.children.flatMap(\.withChildren) }

    var withParents: [AnyRoute] { (parent?.entry?.withParents ?? []) + [AnyRoute(route)] }
}

enum ScreenPlace {
    case top
    case insteadOf(StackEntry)
    case within(any AnyScreenContext, @MainActor (EmbeddedScreen) -> Void)
}

/// The screen of an entry, with its question and its embedded screens.
@MainActor
struct ShownScreen {
    let context: any AnyScreenContext
    /// The question before the screen is left; not in the context, which the screen holds, while the question holds the screen.
    var confirmation: LeaveConfirmation?
    var children: [StackEntry] = []
    /// Whether the screen is being rebuilt, which may fail.
    var isTentative = false
}
