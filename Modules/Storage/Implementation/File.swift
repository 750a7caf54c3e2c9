import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The error of a system call.
struct SystemError: Error {
    var code = errno

    /// The system's description, such as `No space left on device`.
    var reason: String {
        switch code {
        case EWOULDBLOCK: "another program uses it"
        case ELOOP: "it is a link, or belongs to another user"
        default: String(cString: strerror(code))
        }
    }

    /// Makes a system call, again where a signal interrupted it; throws if the result is negative.
    @discardableResult
    static func check<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw SystemError() }
        }
    }
}

/// An open file or folder, which is closed when it is released.
final class File: Sendable {
    let descriptor: Int32
    private let size: Int

    /// Opens a file or a folder; only the owner has access to a new file.
    ///
    /// - Throws: `SystemError`, with `ELOOP` for a link and for a file of another user, unless `isAnyones`.
    init(_ path: String, _ flags: Int32, isAnyones: Bool = false) throws(SystemError) {
        let flags = flags | O_CLOEXEC | O_NONBLOCK | (isAnyones ? 0 : O_NOFOLLOW)
        descriptor = try SystemError.check { open(path, flags, 0o600) }
        var status = stat()
        let result = fstat(descriptor, &status)
        size = Int(status.st_size)
        guard result == 0 else { throw SystemError() }
        guard isAnyones || status.st_uid == getuid() && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        else { throw SystemError(code: ELOOP) }
    }

    deinit { close(descriptor) }

    /// The most bytes of a value.
    private static let maximumSize = 1 << 26

    /// Reads as many bytes as the file had when it was opened.
    func read() throws(SystemError) -> Data {
        if size > Self.maximumSize { throw SystemError(code: EFBIG) }
        var (bytes, count) = (Data(count: size), 0)
        while count < size {
            let read = try SystemError.check {
                bytes.withUnsafeMutableBytes {
                    Foundation.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
                }
            }
            if read == 0 { throw SystemError(code: EIO) }
            count += read
        }
        return bytes
    }

    /// Writes bytes, in as many pieces as the system takes them.
    func write(_ bytes: Data) throws(SystemError) {
        if bytes.count > Self.maximumSize { throw SystemError(code: EFBIG) }
        var rest = bytes
        while !rest.isEmpty {
            let count = try SystemError.check {
                rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            }
            if count == 0 { throw SystemError(code: EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until all written data would survive a loss of power.
    func synchronize() throws(SystemError) {
        #if canImport(Darwin)
            // `fsync` leaves data in the drive's cache (fsync(2)); some file systems know no other call.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try SystemError.check { fsync(descriptor) }
    }

    /// Opens a folder, creates it where it is missing, and locks it until the result is released.
    ///
    /// - Throws: `SystemError` with `EWOULDBLOCK` when another program has locked the folder.
    static func lockedFolder(_ path: String) throws(SystemError) -> File {
        try createFolder(path)
        let folder = try File(path, O_RDONLY)
        // A program that is ending, and a store that is being released, hold the lock for a moment.
        for _ in 0..<20 where flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
        try SystemError.check { flock(folder.descriptor, LOCK_EX | LOCK_NB) }
        return folder
    }

    /// Creates a folder and its missing parents; only the owner has access to new folders.
    static func createFolder(_ path: String) throws(SystemError) {
        if access(path, F_OK) == 0 { return }
        if errno != ENOENT { throw SystemError() }
        let parent = (path as NSString).deletingLastPathComponent
        if parent != path { try createFolder(parent) }
        // A link that leads nowhere exists too, and cannot be opened.
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError() }
    }
}
