import RouterServiceInterface

/// One element of the stack: a shown route, its present screen, and the caller that waits for its output.
///
/// The stack changes it, and nothing else does.
@MainActor
final class StackEntry {
    let id: Presentation.ID
    let route: any Route
    let style: PresentationStyle
    /// Whether nothing is below it, so that it cannot be left.
    let isRoot: Bool
    /// Delivers a failure in place of the output, unless that was delivered; nil as soon as the wait has ended.
    private var fail: (@MainActor @Sendable (any Error) -> Void)?
    /// The place on the stack; nil for an entry that is embedded, or gone.
    var position: Int?
    weak var parent: (any AnyScreenContext)?
    var shown: ShownScreen

    init<R: Route>(
        id: Presentation.ID, context: ScreenContext<R>, result: PendingResult<R.Output>,
        style: PresentationStyle, isRoot: Bool, parent: (any AnyScreenContext)? = nil
    ) {
        self.id = id
        route = context.route
        fail = { result.deliver(.failure($0)) }
        self.style = style
        self.isRoot = isRoot
        self.parent = parent
        shown = ShownScreen(context: context)
        context.entry = self
    }

    // The entries of a router that is released leave no caller waiting.
    deinit {
        guard let fail else { return }
        Task { @MainActor in fail(RouterError.routerReleased) }
    }

    func endWait() { fail.take()?(UserDeclined()) }

    var routeType: TypeKey { TypeKey(type(of: route)) }

    /// Whether it is on the stack, or embedded.
    var isThere: Bool { position != nil || parent != nil }

    /// The entry, and the entries that are embedded in its screen at any depth.
    var withChildren: [StackEntry] { [self] + shown.children.flatMap(\.withChildren) }

    var withParents: [AnyRoute] { (parent?.entry?.withParents ?? []) + [AnyRoute(route)] }
}

enum ScreenPlace {
    case top
    case insteadOf(StackEntry)
    case within(any AnyScreenContext, @MainActor (EmbeddedScreen) -> Void)
}

/// The screen of an entry, and all that belongs to no other screen; replacing a module replaces the whole.
@MainActor
struct ShownScreen {
    let context: any AnyScreenContext
    /// The question before the screen is left.
    ///
    /// It is not kept in the context: the screen holds that, and the question usually holds the screen.
    var confirmation: LeaveConfirmation?
    var children: [StackEntry] = []
    /// Whether it is being built for a replaced module, which may fail.
    var isTentative = false
}
