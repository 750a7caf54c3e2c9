public import Foundation
public import RouterServiceInterface
import Synchronization

extension Display {
    /// The terminal, which shows screens and takes the actions of the user.
    @MainActor
    public protocol Terminal: Dialog {
        /// Shows screens and handles the user's actions, until the user quits or the input ends.
        ///
        /// - Parameter action: An action of the top screen as soon as that has appeared, as if the user chose the action:
        ///   usually, opening the requested screens.
        /// - Throws: An error of the terminal itself, which is restored in any case.
        func run(performing action: Action?) async throws

        /// Performs a request of another program as an action of the top screen, as soon as no other action runs there.
        ///
        /// The request waits for the user who is typing: until a screen that begins with a field is left, and on other screens until
        /// the focus leaves the fields. The request is dropped when the terminal ends before.
        func perform(_ action: @escaping Action)
    }
}

extension Display {
    /// The notices and questions of a feature, beside its screens.
    ///
    /// A service, which the terminal provides: `let dialog: any Display.Dialog`.
    @MainActor
    public protocol Dialog: AnyObject {
        /// Shows a short notice for a moment, even when its screen is removed; with `✓` for a positive role, `!` for a warning or
        /// an error, and else `·`.
        func notify(_ message: String, as role: Role)

        /// Asks the user a yes-or-no question, and waits for the answer.
        ///
        /// - Returns: Whether the answer is yes; no, when the calling task is cancelled or the terminal ends.
        func confirm(_ question: String) async -> Bool
    }
}

extension Display {
    /// The status of the whole program, which the terminal shows above every screen.
    ///
    /// A required interface: Display declares it, and the App registers an adapter over other modules, or none.
    @MainActor
    public protocol Status: AnyObject {
        /// The name of the signed-in user, for example; observable. An error is shown before the names of the screens.
        var fact: Fact? { get }

        /// Sentences about the program, below the list of its keys.
        var about: [String] { get }
    }
}

extension Display {
    /// Control keys that the whole program handles, on every screen of a full-screen terminal.
    ///
    /// A required interface, as ``Status`` is.
    @MainActor
    public protocol Shortcuts: AnyObject {
        /// Handles Ctrl and a lowercase letter that no field and no terminal uses.
        func press(control letter: Character)
    }
}

extension Display {
    /// The program continues after a stop, and its screen is shown again.
    public struct Resumed: Event {
        public init() {}
    }

    /// Something that must be stored before the program ends or stops.
    public protocol Unstored: AnyObject, Sendable {
        /// Stores it, on the thread of the caller, which is not the main one.
        ///
        /// The main actor may be busy or hang meanwhile, so this waits for nothing on it.
        ///
        /// - Throws: The error that kept something from being stored, for the user.
        func storeNow() throws
    }

    /// What is stored before the program ends or stops, whatever ends it: the user, a signal, or a closed terminal.
    ///
    /// A service, which Display provides.
    public final class Ending: Sendable {
        private struct Reference: Sendable {
            weak let object: (any Unstored)?
        }

        private let references = Mutex<[Reference]>([])
        private let last = Mutex<(@Sendable () -> Void)?>(nil)

        public init() {}

        /// Sets what is done last where a signal or the user ends the program at once, after everything is stored.
        public func doLast(_ action: @escaping @Sendable () -> Void) { last.withLock { $0 = action } }

        /// Adds something to store, as long as something else holds it.
        public func add(_ unstored: any Unstored) {
            references.withLock { references in
                references.removeAll { $0.object == nil }
                references.append(Reference(object: unstored))
            }
        }

        /// Stores everything, and returns when it is stored.
        ///
        /// - Returns: The errors that kept something from being stored.
        public func store() -> [any Error] {
            references.withLock { $0.compactMap(\.object) }.compactMap { unstored in
                do {
                    try unstored.storeNow()
                    return nil
                } catch {
                    return error
                }
            }
        }

        /// Stores everything as `store(within:)` does, and does what is to be done last.
        public func end(within limit: DispatchTimeInterval) {
            store(within: limit)
            last.withLock { $0 }?()
        }

        /// Stores everything on a thread of its own, and waits for that no longer than a limit.
        public func store(within limit: DispatchTimeInterval) {
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
                _ = store()
                isDone.signal()
            }
            _ = isDone.wait(timeout: .now() + limit)
        }
    }
}

extension Display {
    /// The router's activity, for the pane that the key `t` opens beside the screens; all of it is observable.
    ///
    /// A required interface, as ``Status`` is.
    @MainActor
    public protocol Trace: AnyObject {
        /// The navigation stack, the topmost entry last.
        var stack: [String] { get }
        /// The decisions and actions of the router, the latest last.
        var events: [TraceEvent] { get }
        /// The services that were created, in order of creation.
        var services: [String] { get }
    }

    /// A decision or an action of the router.
    public struct TraceEvent: Sendable {
        /// The kind of the event, a verb such as `presented`.
        public let kind: String
        public let role: Role
        /// The name of a route or a type, which the terminal never shortens in its middle.
        public let name: String
        /// The values of the event, which the terminal shortens in their middle.
        public let values: String
        public let time: ContinuousClock.Instant

        public init(
            _ kind: String, _ role: Role, _ name: String, values: String = "",
            at time: ContinuousClock.Instant
        ) {
            self.kind = kind
            self.role = role
            self.name = name
            self.values = values
            self.time = time
        }
    }
}
