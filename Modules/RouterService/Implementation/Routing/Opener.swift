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

    /// Rejects requests made before the first screen, by a dismissed screen, or in a cancelled task.
    @MainActor
    func check(opening route: some Route, on stack: NavigationStack) throws {
        try Task.checkCancellation()
        switch self {
        case .start: break
        case .service:
            guard stack.isStarted else {
                throw RouterError.rejected(.notStarted, route: TypeKey(type(of: route)))
            }
        case .screen(let context), .parent(let context): _ = try stack.entry(of: context)
        case .interceptor(_, let original):
            // A screen that left meanwhile needs no sign-in.
            try original.check(opening: route, on: stack)
        }
    }
}
