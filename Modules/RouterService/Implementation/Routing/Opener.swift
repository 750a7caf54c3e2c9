import RouterServiceInterface

indirect enum Opener {
    /// The router itself, for the first screens.
    case start
    /// A service, the program, or an interceptor, an action or a listener that depends on the router, after the routes that led
    /// to its call.
    case service(after: [AnyRoute])
    /// A screen, whose openings are rejected when it is gone.
    case screen(any AnyScreenContext)
    /// A screen that embeds another screen; its path are the screens around it.
    case parent(any AnyScreenContext)
    /// An interceptor's request while it decides about the last route of a path, on behalf of another opener.
    case interceptor(deciding: [AnyRoute], for: Opener)

    @MainActor
    var path: [AnyRoute] {
        switch self {
        case .start, .screen: []
        case .parent(let context): context.entry?.withParents ?? []
        case .service(let path), .interceptor(let path, _): path
        }
    }

    private var isParent: Bool { if case .parent = self { true } else { false } }

    /// Rejects an opening in a cancelled task, before the first screen or by a dismissed screen, or in a style that does not fit.
    @MainActor
    func check(_ opening: Opening, on stack: NavigationStack) throws {
        try Task.checkCancellation()
        guard opening.style != .embedded || isParent else { throw RouterError.unknownStyle(.embedded) }
        guard opening.style != .root || opening.receiver == nil else {
            throw RouterError.rejected(.cannotDismissRoot, route: opening.routeType)
        }
        switch self {
        case .start: break
        case .service:
            guard stack.isStarted else {
                throw RouterError.rejected(.notStarted, route: opening.routeType)
            }
        case .screen(let context), .parent(let context): _ = try stack.entry(of: context)
        case .interceptor(_, let original):
            // A screen that left meanwhile needs no sign-in.
            try original.check(opening, on: stack)
        }
    }
}
