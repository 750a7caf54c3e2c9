import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Restores a terminal before a signal ends or stops the program.
///
/// The work is done on a queue of its own: a main actor that hangs must not keep a person from their terminal.
final class TerminalSignals {
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// Watches the signals that end the program, and with `continuing` also those that stop it.
    init(
        restoring restore: @escaping @Sendable () -> Void, continuing: (@Sendable () -> Void)? = nil,
        resized: (@Sendable () -> Void)? = nil
    ) {
        var handlers: [Int32: @Sendable () -> Void] = [:]
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            handlers[number] = {
                restore()
                endProgram(by: number)
            }
        }
        if let continuing {
            handlers[SIGTSTP] = {
                restore()
                kill(getpid(), SIGSTOP)
            }
            handlers[SIGCONT] = continuing
        }
        handlers[SIGWINCH] = resized

        let queue = DispatchQueue(label: "Display.signals")
        numbers = Array(handlers.keys)
        sources = handlers.map { number, handler in
            // The system's own answer must not come first; a change of size and a continuing have none to fear.
            if number != SIGWINCH, number != SIGCONT { signal(number, SIG_IGN) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            source.activate()
            return source
        }
    }

    /// Leaves the signals to the system again.
    func cancel() {
        sources.forEach { $0.cancel() }
        numbers.forEach { signal($0, SIG_DFL) }
    }
}

/// Ends the program as the signal would have done, so that whoever started it sees the signal.
private func endProgram(by number: Int32) {
    signal(number, SIG_DFL)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(number)
    _exit(128 + number)
}
