public import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Display {
    /// An open file, pipe or terminal to which text is written.
    public struct Output: Sendable {
        public let descriptor: Int32

        public init(descriptor: Int32) { self.descriptor = descriptor }

        /// Writes a whole text, in one piece if the system accepts it.
        public func write(_ text: String) throws(OutputFailure) {
            // By default, the signal of a closed pipe ends the program before anything can be restored.
            signal(SIGPIPE, SIG_IGN)
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&request, 1, -1)
                } else if errno != EINTR {
                    throw OutputFailure(code: errno)
                }
            }
        }
    }

    /// The reason why a text could not be written.
    public struct OutputFailure: LocalizedError, Equatable {
        /// The system's `errno`; `EPIPE` where nothing reads any more.
        public let code: Int32

        public init(code: Int32) { self.code = code }

        public var errorDescription: String? {
            "The output cannot be written: \(String(cString: strerror(code))). Check where it is redirected to."
        }
    }
}
