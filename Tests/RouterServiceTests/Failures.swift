import RouterServiceInterface
import RouterServiceProgram

/// The result of a call: no error, the case of an error of the router, or another error.
enum Failure: String {
    case none, cancellation, declined, decoding, shop, other
    case missingService, duplicate, nothingToOverride, cycle, tooDeep, weakValueType, creationFailed,
        notPrepared, outsideScope, outlivesDependency, unused, scopeAlreadyEntered,
        missingHandler, duplicateIdentifier, invalidIdentifier, unreachableRoute,
        disabled, redirectCycle, outputNotEncodable, unknownURL, noURL, invalidPattern,
        unknownScreen, alreadyFinished, screenDismissed, cannotDismissRoot,
        noScreen, embedded, embeddedStyle,
        routeNotInStack, notStarted, alreadyStarted, emptyStack, routerReleased, listenerFailed,
        unknownModule, presenterInUse, withinPreparation, replacementRejected

    init(_ error: any Error) {
        self =
            switch error {
            case let problem as GraphProblem: .named(problem.kind)
            case RouterError.misregistered(let problem as GraphProblem, _): .named(problem.kind)
            case RouterError.rejected(let rejection, _): .named(rejection)
            case RouterError.emptyStack: .emptyStack
            case RouterError.routerReleased: .routerReleased
            case ReplacementError.withinPreparation: .withinPreparation
            case ReplacementError.rejected: .replacementRejected
            case is RouterError, is ReplacementError: .named(error)
            case is CancellationError: .cancellation
            case is UserDeclined: .declined
            case is DecodingError: .decoding
            case is Shop.Failure: .shop
            default: .other
            }
    }

    /// The case that has the name of another case.
    private static func named(_ value: Any) -> Failure {
        Failure(rawValue: Mirror(reflecting: value).children.first?.label ?? "\(value)") ?? .other
    }
}

/// The kind of error that something throws, or `none`.
@MainActor
func failure<Value>(of work: @MainActor () async throws -> Value) async -> Failure {
    do {
        _ = try await work()
        return .none
    } catch {
        return Failure(error)
    }
}
