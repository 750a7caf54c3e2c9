import DisplayInterface
import Foundation
import RouterServiceInterface
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Restores the terminal before a signal ends or stops the program, and uses it again when the program continues.
///
/// A fault is handled where it happens, because no other code may run after it. The numbers of all other signals are passed
/// through a pipe to a thread of their own: a main actor that hangs must not keep users from their terminal. A handler may
/// interrupt any code, so the handlers allocate nothing, wait for no lock, and make only system calls that POSIX allows there.
enum TerminalSignals {
    private struct Watch {
        let device: TerminalDevice
        let ending: Display.Ending
        let router: (any Router)?
        let damaged: @Sendable () -> Void
    }

    fileprivate typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    private static let watch = Mutex<Watch?>(nil)

    /// Watches all signals that end or stop the program, for this terminal from now on.
    static func watch(
        _ device: TerminalDevice, storing ending: Display.Ending, notifying router: (any Router)?,
        damaged: @escaping @Sendable () -> Void = {}
    ) {
        watch.withLock { $0 = Watch(device: device, ending: ending, router: router, damaged: damaged) }
        handlers
    }

    private static let handlers: Void = {
        guard numbers.reading >= 0 else { return }
        formerActions.withLock { actions in
            actions = (0...maximum).map { number in
                var action = sigaction()
                sigaction(number, nil, &action)
                return action
            }
        }
        var fault = sigaction()
        fault.function = handleFault
        // The handler of the Swift runtime handles faults of its own.
        fault.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER
        for number in faults { sigaction(number, &fault, nil) }

        var other = sigaction()
        other.function = pass
        other.sa_flags = SA_SIGINFO | SA_RESTART
        let others = (1...maximum).filter { !faults.contains($0) && !harmless.contains($0) }
        // Handlers that do not interrupt each other pass the numbers in the order of the signals.
        for number in others { sigaddset(&other.sa_mask, number) }
        for number in others { sigaction(number, &other, nil) }
        Thread.detachNewThread { [handled = other.sa_mask] in
            // The main thread handles the signals, in their order: a thread that blocks a signal does not handle it, and
            // sees that it is pending.
            var handled = handled
            pthread_sigmask(SIG_BLOCK, &handled, nil)
            receive()
        }
    }()

    private static let maximum: Int32 = 64

    /// The signals that report a fault of the running code.
    private static let faults: Set = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    /// The actions that the signals had before, by number: the Swift runtime prints where the program failed.
    private static let formerActions = Mutex<[sigaction]>([])

    private static let handleFault: Handler = { number, information, context in
        // From here on, a fault ends the program.
        signal(number, SIG_DFL)
        watch.withLockIfAvailable { watch in
            if let watch { watch.device.pause() }
        }
        let former = formerActions.withLockIfAvailable { $0[Int(number)] }
        if let former, former.sa_flags & SA_SIGINFO != 0 { former.function(number, information, context) }
        raise(number)
    }

    /// The signals that end no program; SIGPIPE is ignored wherever the program writes.
    private static let harmless = systemHarmless.union([SIGCHLD, SIGURG, SIGPIPE, SIGTTIN, SIGTTOU])

    private static let numbers = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not wait for the thread that reads.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (reading: ends[0], writing: ends[1])
    }()

    /// Whether the program was continued after the last signal that stops it.
    private static let isContinued = Atomic(false)

    private static let pass: Handler = { number, _, _ in
        let code = errno
        if number == SIGTSTP || number == SIGCONT {
            isContinued.store(number == SIGCONT, ordering: .sequentiallyConsistent)
        }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(numbers.writing, &byte, 1)
        errno = code
    }

    private static func receive() {
        prepareStop()
        // Whether the program was continued, and does not have the terminal yet.
        var isWaiting = false
        while let watch = watch.withLock({ $0 }) {
            var request = pollfd(fd: numbers.reading, events: Int16(POLLIN), revents: 0)
            // Unless a signal has come that ends the program, it stops again in the background.
            if poll(&request, 1, isWaiting ? 100 : -1) == 0 {
                JobControl.stopInBackground(of: watch.device.input)
            }
            var number: UInt8 = 0
            if request.revents != 0, read(numbers.reading, &number, 1) == 1 {
                switch Int32(number) {
                case SIGWINCH: watch.damaged()
                case SIGCONT:
                    isWaiting = true
                    prepareStop()
                case SIGTSTP:
                    watch.device.pause()
                    watch.ending.store(within: storingLimit)
                    if !isContinued.load(ordering: .sequentiallyConsistent) { stop() }
                    // The number of SIGCONT follows, unless no shell can continue the program, which the system then does not stop.
                    if poll(&request, 1, 1_000) == 0 { isWaiting = true }
                    prepareStop()
                case let number:
                    watch.device.pause()
                    watch.ending.end(within: storingLimit)
                    endProgram(by: number)
                }
            }
            if isWaiting, !JobControl.isInBackground(of: watch.device.input) {
                isWaiting = false
                watch.device.resume()
                watch.damaged()
                Task { @MainActor in await watch.router?.broadcast(Display.Resumed()) }
            }
        }
    }

    /// The time that storing has before the program ends or stops: no user is there to wait longer.
    static let storingLimit = DispatchTimeInterval.seconds(1)

    /// Keeps a SIGTSTP pending for this thread, which blocks it, until the program stops or is continued.
    ///
    /// SIGCONT discards stop signals that are pending. A signal that was sent after the program left the terminal would instead
    /// discard a SIGCONT that came meanwhile, and stop a program that was continued.
    private static func prepareStop() { pthread_kill(pthread_self(), SIGTSTP) }

    /// Stops the program, unless it was continued after `prepareStop()`, or no shell can continue it.
    private static func stop() {
        var (standard, former, signals) = (sigaction(), sigaction(), sigset_t())
        sigaction(SIGTSTP, &standard, &former)
        sigemptyset(&signals)
        sigaddset(&signals, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        sigaction(SIGTSTP, &former, nil)
    }

    /// Ends the program as the signal does by default, so that the parent process sees the signal.
    private static func endProgram(by number: Int32) {
        signal(number, SIG_DFL)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        raise(number)
        _exit(128 + number)
    }
}

#if canImport(Darwin)
    private let systemHarmless: Set<Int32> = [SIGIO, SIGINFO]

    extension sigaction {
        fileprivate var function: TerminalSignals.Handler {
            get { __sigaction_u.__sa_sigaction }
            set { __sigaction_u.__sa_sigaction = newValue }
        }
    }
#else
    private let systemHarmless: Set<Int32> = []

    extension sigaction {
        fileprivate var function: TerminalSignals.Handler {
            get { __sigaction_handler.sa_sigaction }
            set { __sigaction_handler.sa_sigaction = newValue }
        }
    }
#endif
