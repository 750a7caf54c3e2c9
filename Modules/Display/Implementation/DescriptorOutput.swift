#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open file, pipe or terminal to write to.
struct DescriptorOutput: Sendable {
    let descriptor: Int32

    /// Writes a text to its end, in one piece if the system takes it so.
    ///
    /// - Throws: ``TerminalFailure/outputClosed`` when nobody reads any more, ``TerminalFailure/writing(_:)``.
    func write(_ text: String) throws(TerminalFailure) {
        // The default is that the signal ends the program, before anything could be restored.
        signal(SIGPIPE, SIG_IGN)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite($0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if errno == EPIPE || errno == EBADF {
                throw .outputClosed
            } else if errno != EINTR {
                throw .writing(errno)
            }
        }
    }

    private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
