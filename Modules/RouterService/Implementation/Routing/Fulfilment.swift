import RouterServiceInterface

/// Shows the screens of some openings and performs their actions, in order: all screens or none.
///
/// All openings are resolved before the first opening has an effect. A stack of the style `root` takes the place of all other
/// screens.
@MainActor
final class Fulfilment {
    private let openings: [Opening]
    private let place: ScreenPlace
    private let router: RouterService
    private let resolutions: [Resolution]
    private lazy var consent = LeaveConsent()
    private var shown: [StackEntry] = []
    private var disruptions = 0
    /// The replaced screen and the screens above it, without screens that are opened later.
    private var replaced: [StackEntry] = []

    init(of openings: [Opening], at place: ScreenPlace = .top, in router: RouterService) {
        self.openings = openings
        self.place = place
        self.router = router
        resolutions = openings.map { Resolution(of: $0, in: router) }
    }

    private var stack: NavigationStack { router.stack }

    /// Whether the first screen takes the place of all others.
    private var isNewStack: Bool {
        if case .top = place { openings.first?.style == .root } else { false }
    }

    /// Whether screens are left that have to be asked; screens before the first screen are not.
    private var leavesScreens: Bool { (isNewStack || !replaced.isEmpty) && stack.isStarted }

    private var leaving: [StackEntry] {
        guard isNewStack else { return replaced.filter(\.isThere) }
        guard resolutions.contains(where: \.hasScreen) else { return [] }
        let end = shown.first?.position ?? stack.entries.count
        return stack.entries[..<end].flatMap(\.withChildren)
    }

    /// - Returns: The last screen that was shown.
    @discardableResult
    func perform() async throws -> StackEntry? {
        do {
            guard !openings.isEmpty else { throw RouterError.emptyStack }
            if case .insteadOf(let former) = place, former.parent != nil {
                throw RouterError.rejected(.embedded, route: former.routeType)
            }
            for resolution in resolutions { _ = try await resolution.route() }
            if case .insteadOf(let former) = place { replaced = stack.entries(from: former) }
            for (opening, resolution) in zip(openings, resolutions) {
                var route = try await resolution.route()
                // Modules may be replaced while a screen asks.
                while shown.isEmpty, leavesScreens, try await askToLeave() {
                    route = try await resolution.route()
                }
                try opening.opener.check(opening, on: stack)
                if !shown.isEmpty { try checkShown() }
                let style = isNewStack && shown.isEmpty ? .root : opening.style
                if let entry = try await route.fulfil(at: place, as: style, in: router) {
                    shown.append(entry)
                }
            }
            // Others may open screens during an action or a question.
            while leavesScreens, try await askToLeave() { try checkShown() }
        } catch {
            stack.remove(shown.flatMap(\.withChildren))
            router.log.report(error, of: openings.first?.routeType.description ?? "the stack")
            throw error
        }
        stack.remove(leaving)
        return shown.last
    }

    /// Ends the transaction where one of its screens was removed, or another first screen was shown above them.
    private func checkShown() throws {
        guard let first = shown.first, disruptions != stack.disruptions else { return }
        disruptions = stack.disruptions
        let isComplete = shown.allSatisfy { $0.isThere || $0.shown.context.isFinished }
        let root = stack.entries.last { $0.isRoot }
        let isBelowAnother = root !== first && root?.position ?? 0 > first.position ?? 0
        guard isComplete, !isBelowAnother else { throw UserDeclined() }
    }

    /// - Returns: Whether a screen was asked.
    private func askToLeave() async throws -> Bool { try await consent.ask({ leaving }, on: stack) }
}
