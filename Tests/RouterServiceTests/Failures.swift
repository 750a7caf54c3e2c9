import RouterServiceInterface
import RouterServiceProgram

/// The result of a call: no error, a case of `RouterError`, or another error.
enum Failure: Equatable {
    case none, cancellation, declined, decoding, other
    case missingService, duplicate, nothingToOverride, cycle, tooDeep, weakValueType, creationFailed,
        notPrepared, outsideScope, outlivesDependency, unused, scopeAlreadyEntered,
        missingHandler, duplicateIdentifier, invalidIdentifier, unreachableRoute,
        disabled, redirectCycle, outputNotEncodable, unknownURL, noURL, invalidPattern, unknownStyle,
        unknownScreen, alreadyFinished, screenDismissed, cannotDismissRoot,
        noScreen, embedded,
        routeNotInStack, notStarted, alreadyStarted, emptyStack, routerReleased, listenerFailed,
        unknownModule, presenterInUse, withinPreparation, replacementRejected

    /// The kind of an error.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as RouterError: Failure(error)
            case let error as ReplacementError: Failure(error)
            case is CancellationError: .cancellation
            case is UserDeclined: .declined
            case is DecodingError: .decoding
            default: .other
            }
    }

    /// The case of a replacement's error.
    init(_ error: ReplacementError) {
        self =
            switch error {
            case .unknownModule: .unknownModule
            case .presenterInUse: .presenterInUse
            case .withinPreparation: .withinPreparation
            case .rejected: .replacementRejected
            }
    }

    /// The case of a router's error.
    init(_ error: RouterError) {
        self =
            switch error {
            case .missingService: .missingService
            case .misregistered(let problem as GraphProblem, _): Failure(problem)
            case .misregistered: .other
            case .cycle: .cycle
            case .tooDeep: .tooDeep
            case .creationFailed: .creationFailed
            case .notPrepared: .notPrepared
            case .outsideScope: .outsideScope
            case .scopeAlreadyEntered: .scopeAlreadyEntered
            case .missingHandler: .missingHandler
            case .rejected(.disabled, _): .disabled
            case .redirectCycle: .redirectCycle
            case .unknownURL: .unknownURL
            case .noURL: .noURL
            case .unknownStyle: .unknownStyle
            case .unknownScreen: .unknownScreen
            case .rejected(.alreadyFinished, _): .alreadyFinished
            case .rejected(.screenDismissed, _): .screenDismissed
            case .rejected(.cannotDismissRoot, _): .cannotDismissRoot
            case .rejected(.outputNotEncodable, _): .outputNotEncodable
            case .rejected(.noScreen, _): .noScreen
            case .rejected(.embedded, _): .embedded
            case .routeNotInStack: .routeNotInStack
            case .rejected(.notStarted, _): .notStarted
            case .rejected(.alreadyStarted, _): .alreadyStarted
            case .emptyStack: .emptyStack
            case .routerReleased: .routerReleased
            case .listenerFailed: .listenerFailed
            }
    }
}

extension Failure {
    /// The kind of a problem.
    init(_ problem: GraphProblem) {
        self =
            switch problem.kind {
            case .missingService: .missingService
            case .duplicate: .duplicate
            case .nothingToOverride: .nothingToOverride
            case .cycle: .cycle
            case .weakValueType: .weakValueType
            case .outlivesDependency: .outlivesDependency
            case .unused: .unused
            case .duplicateIdentifier: .duplicateIdentifier
            case .invalidIdentifier: .invalidIdentifier
            case .unreachableRoute: .unreachableRoute
            case .invalidPattern: .invalidPattern
            }
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
