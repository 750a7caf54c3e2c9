import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Restores a terminal before a signal ends the program.
///
/// The work is done on a queue of its own: a main actor that hangs must not keep a person from their terminal.
final class TerminalSignals {
    private let sources: [any DispatchSourceSignal]

    init(restoring restore: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "Display.signals")
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                restore()
                endProgram(by: number)
            }
            source.activate()
            return source
        }
    }

    /// Leaves signals to the system again.
    func cancel() {
        sources.forEach { $0.cancel() }
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT].forEach { signal($0, SIG_DFL) }
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
