public import Foundation
public import RouterServiceInterface
import RouterServiceProgram

// All openings end here: all routes are resolved (interceptors, availability, fallbacks), and then all are fulfilled.
extension RouterService {
    /// Opens the route that a URL stands for, and writes its output as JSON.
    public func output(of url: URL) async throws -> Data {
        let link = try catalog.route(for: url)
        report(deprecationOf: link)
        return try await output(of: link.route)
    }

    private func output<R: Route>(of route: R) async throws -> Data {
        guard R.Output.self is any Encodable.Type,
            let output = try await opened(route, as: .modal, from: .external, by: .service(after: Path()))
                .value as? any Encodable
        else { throw RouterError.rejected(.outputNotEncodable, route: TypeName(R.self)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Other programs read it.
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(output)
    }

    /// Removes screens until the nearest one that shows a route is the topmost.
    public func dismiss(to target: DismissalTarget) async throws {
        try await stack.dismiss(to: target, below: nil)
    }

    func report(deprecationOf link: AnyRoute) {
        if let advice = registry.deprecation(of: link) { log.add(.deprecated(link, advice)) }
    }

    /// Opens routes one above the other, the lowest first.
    func open(_ openings: [any AnyOpening]) async throws {
        try await reportingFailure(of: openings.first?.route) {
            guard !openings.isEmpty else { throw RouterError.emptyStack }
            try openings.forEach { try requireShown($0.style) }
            try await fulfil(openings)
        }
    }

    /// An opening of a route of any type.
    func opening(
        of route: some Route, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener,
        state: ScreenState = ScreenState()
    ) -> any AnyOpening {
        Opening(route, as: style, from: origin, by: opener, in: self, state: state)
    }

    /// Opens a route, whose output the caller then waits for.
    func opened<R: Route>(
        _ route: R, as style: PresentationStyle, from origin: RouteOrigin, by opener: Opener
    ) async throws -> AwaitedOutput<R.Output> {
        try await reportingFailure(of: route) {
            guard style != .root else {
                throw RouterError.rejected(.cannotDismissRoot, route: TypeName(R.self))
            }
            try requireShown(style)
            let pending = PendingResult<R.Output>()
            let receiver = ResultReceiver(pending.deliver)
            let opening = Opening(route, as: style, from: origin, by: opener, in: self, for: receiver)
            let entry = try await fulfil([opening])
            return AwaitedOutput(pending: pending, route: route, entry: entry, reference: reference)
        }
    }

    func embed<R: Route>(
        _ route: R, in parent: any AnyScreenContext, finish: @escaping @MainActor (R.Output) -> Void
    ) async throws -> EmbeddedScreen {
        try await reportingFailure(of: route) {
            let receiver = ResultReceiver<R.Output> { if case .success(let output) = $0 { finish(output) } }
            let opening = Opening(
                route, as: .embedded, from: .code, by: .parent(parent), in: self, for: receiver)
            let resolved = try await opening.resolved()
            // The parent may have gone while interceptors decided.
            try check(opening.opener, opening: route)
            return try resolved.embed(in: parent)
        }
    }

    /// Shows the screen of a route in place of a present one, with which all above it is left.
    func replace(_ context: any AnyScreenContext, with route: some Route) async throws {
        try await reportingFailure(of: route) {
            let style = try stack.replaceableEntry(of: context).style
            let opening = Opening(route, as: style, from: .code, by: .screen(context), in: self)
            var resolved = try await opening.resolved()
            let leaving = try await stack.confirmedLeaving(with: context)
            while resolved.generation != container.generation { resolved = try await opening.resolved() }
            try check(opening.opener, opening: route)
            try resolved.takePlace(of: leaving)
        }
    }

    /// Fulfils all routes or none, an action's effects excepted.
    ///
    /// All are resolved before the first is fulfilled; one that was resolved before an exchange of modules is resolved
    /// again. Of a stack of the style `root`, the first screen takes the place of all others, whichever routes lead to it.
    ///
    /// - Returns: The last screen that was shown.
    @discardableResult
    private func fulfil(_ openings: [any AnyOpening]) async throws -> StackEntry? {
        var resolved: [any ResolvedRoute] = []
        func resolve(_ index: Int) async throws -> any ResolvedRoute {
            let found = try await openings[index].resolved()
            guard openings[0].style == .root,
                !resolved[..<index].contains(where: { $0.beginningAnew != nil }),
                let first = found.beginningAnew
            else { return found }
            return first
        }
        for index in openings.indices { resolved.append(try await resolve(index)) }
        var hasAsked = resolved.contains(where: \.beginsAnew)
        if hasAsked { try await confirmLeavingAll() }
        var shown = ShownEntries()
        do {
            for index in openings.indices {
                while resolved[index].generation != container.generation {
                    resolved[index] = try await resolve(index)
                    if resolved[index].beginsAnew, !hasAsked {
                        hasAsked = true
                        try await confirmLeavingAll()
                    }
                }
                // Interceptors, questions and actions take their time, in which the opener and its screens may go.
                try check(openings[index].opener, opening: openings[0].route)
                guard shown.areComplete else { throw CancellationError() }
                if let entry = try await resolved[index].fulfil() { shown.append(entry) }
            }
        } catch {
            shown.all.forEach(stack.remove)
            throw error
        }
        if let root = shown.all.last(where: \.isRoot) { stack.removeBelow(root) }
        return shown.all.last
    }

    /// Rejects the style of embedded screens, which no presenter receives.
    private func requireShown(_ style: PresentationStyle) throws {
        if style == .embedded {
            throw RouterError.unknownStyle(style, presenter: TypeName((any Presenter).self))
        }
    }

    /// Asks all screens that a new first one would remove.
    private func confirmLeavingAll() async throws {
        try await stack.confirmLeaving { stack.entries.filter { !$0.isProvisional }.flatMap(\.withChildren) }
    }

    /// Rejects requests made before the first screen, by a dismissed screen, or in a cancelled task.
    func check(_ opener: Opener, opening route: some Route) throws {
        try Task.checkCancellation()
        switch opener {
        case .start: break
        case .service:
            guard !stack.isEmpty, !stack.isStarting else {
                throw RouterError.rejected(.notStarted, route: TypeName(type(of: route)))
            }
        case .screen(let context), .parent(let context): _ = try stack.entry(of: context)
        case .interceptor(_, let original):
            // A screen that left meanwhile needs no sign-in.
            try check(original, opening: route)
        }
    }

    /// The most routes that may lead to another one; more can only be a mistake.
    private static let mostLeadingRoutes = 32

    /// Rejects a route to which routes led that led to it before, or too many; announces that first.
    func refuseCircle(of route: some Route, after path: Path) async throws {
        let routes = path.routes
        guard !routes.isEmpty, routes.contains(AnyRoute(route)) || routes.count >= Self.mostLeadingRoutes
        else { return }
        let circle = routes + [AnyRoute(route)]
        // A listener that opens what is rejected in turn is called again, but not without end.
        if routes.count <= Self.mostLeadingRoutes {
            await broadcast(RedirectLoop(path: circle), after: Path(routes: circle))
        }
        throw RouterError.redirectLoop(path: circle)
    }

    func reportingFailure<Value>(
        of route: (any Route)?, _ work: @MainActor () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            report(error, of: route)
            throw error
        }
    }

    func report(_ error: any Error, of route: (any Route)?) {
        guard !(error is CancellationError) else { return }
        log.add(.failed(route.map { "\(TypeName(type(of: $0)))" } ?? "the stack", error))
    }
}

/// The screens that one opening has shown, the lowest first.
@MainActor
private struct ShownEntries {
    private(set) var all: [StackEntry] = []
    /// All but the lowest and topmost ones that were found to have finished.
    private var unfinished: ArraySlice<StackEntry> = []

    mutating func append(_ entry: StackEntry) {
        all.append(entry)
        unfinished.append(entry)
    }

    /// Whether all are still shown, except those that have finished.
    ///
    /// A stack loses entries at its ends only, so that looking at the outermost suffices.
    var areComplete: Bool {
        mutating get {
            unfinished = unfinished.drop { $0.receiver.isFinished }
            while unfinished.last?.receiver.isFinished == true { unfinished.removeLast() }
            return [unfinished.first, unfinished.last].allSatisfy { $0 == nil || $0?.position != nil }
        }
    }
}
