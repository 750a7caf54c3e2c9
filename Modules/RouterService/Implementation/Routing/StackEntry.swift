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
    /// Whether an interceptor showed it before the first screen, which replaces it.
    let isProvisional: Bool
    /// Ends the wait for the output, unless it was delivered; nothing else holds what receives that.
    let cancelResult: @MainActor () -> Void
    /// The place on the stack; nil for an entry that is embedded, or gone.
    var position: Int?
    /// The screen in which this one is embedded.
    weak var parent: (any AnyScreenContext)?
    var shown: ShownScreen

    init<R: Route>(
        id: Presentation.ID, context: ScreenContext<R>, receiver: ResultReceiver<R.Output>,
        style: PresentationStyle, isRoot: Bool, isProvisional: Bool, parent: (any AnyScreenContext)? = nil
    ) {
        self.id = id
        route = context.route
        cancelResult = receiver.cancel
        self.style = style
        self.isRoot = isRoot
        self.isProvisional = isProvisional
        self.parent = parent
        shown = ShownScreen(context: context)
        context.entry = self
    }

    var routeType: TypeName { TypeName(type(of: route)) }

    /// Whether it is on the stack, or embedded.
    var isThere: Bool { position != nil || parent != nil }

    /// The entry and those that are embedded in its screen, in each other too.
    var withChildren: [StackEntry] { [self] + shown.children.flatMap(\.withChildren) }

    /// The routes of the entry and of those in whose screens it is embedded, the outermost first.
    var withParents: [AnyRoute] { (parent?.entry?.withParents ?? []) + [AnyRoute(route)] }
}

/// The place of a new screen.
enum ScreenPlace {
    /// Above all others, in a style.
    case top(PresentationStyle)
    /// In place of another one, with which others leave.
    case insteadOf(StackEntry, removing: [StackEntry])
    /// Within another one, which receives it.
    case within(any AnyScreenContext, @MainActor (EmbeddedScreen) -> Void)
}

/// The screen of an entry, and all that belongs to no other screen: an exchange of modules replaces the whole.
@MainActor
struct ShownScreen {
    let context: any AnyScreenContext
    /// The question before the screen is left.
    ///
    /// It is not kept in the context: the screen holds that, and the question usually holds the screen.
    var confirmation: LeaveConfirmation?
    /// The entries whose screens are embedded in this one.
    var children: [StackEntry] = []
    /// Whether an exchange of modules builds it, and may fail.
    var isTentative = false
}
