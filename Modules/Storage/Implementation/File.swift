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
        case ESTALE: "another folder took its place"
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

/// An open file, or a folder; closed when it is released.
final class File: Sendable {
    private let descriptor: Int32
    private let status: stat

    /// Opens a file or a folder; a new file is readable by its owner only.
    ///
    /// - Throws: `SystemError`, with `ELOOP` for a link and for a file that others may have put there, unless `isAnyones`.
    init(_ path: String, _ flags: Int32, isAnyones: Bool = false) throws(SystemError) {
        let flags = flags | O_CLOEXEC | O_NONBLOCK | (isAnyones ? 0 : O_NOFOLLOW)
        descriptor = try SystemError.check { open(path, flags, 0o600) }
        var status = stat()
        let result = fstat(descriptor, &status)
        self.status = status
        guard result == 0 else { throw SystemError() }
        guard isAnyones || status.st_uid == getuid() && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        else { throw SystemError(code: ELOOP) }
    }

    deinit { close(descriptor) }

    /// Whether a path leads to this file; false if it leads to none.
    ///
    /// - Throws: `SystemError` with `ESTALE` when it leads to another file.
    func isAt(_ path: String) throws(SystemError) -> Bool {
        var found = stat()
        if stat(path, &found) != 0, [ENOENT, ENOTDIR].contains(errno) { return false }
        guard status.st_ino == found.st_ino, status.st_dev == found.st_dev else {
            throw SystemError(code: ESTALE)
        }
        return true
    }

    /// Reads the file as it was when it was opened.
    func read() throws(SystemError) -> Data {
        var (bytes, done) = (Data(count: Int(status.st_size)), 0)
        while done < bytes.count {
            let read = try SystemError.check {
                bytes.withUnsafeMutableBytes {
                    Foundation.read(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
                }
            }
            if read == 0 { throw SystemError(code: EIO) }
            done += read
        }
        return bytes
    }

    /// Writes bytes, in as many pieces as the system takes them.
    func write(_ bytes: Data) throws(SystemError) {
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
            // Otherwise the drive may keep it in its cache (fsync(2)); some file systems know no other way.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try SystemError.check { fsync(descriptor) }
    }

    /// Opens a folder, creates it where it is missing, and locks it until the result is released.
    ///
    /// - Throws: `SystemError` with `EWOULDBLOCK` when something else has locked it.
    static func lockedFolder(_ path: String) throws(SystemError) -> File {
        try createFolder(path)
        let folder = try File(path, O_RDONLY)
        // A program that is ending, and a store that is being released, hold the lock for a moment.
        for _ in 0..<20 where flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
        try SystemError.check { flock(folder.descriptor, LOCK_EX | LOCK_NB) }
        return folder
    }

    /// Creates a folder and its missing parents; only their owner has access to new ones.
    static func createFolder(_ path: String) throws(SystemError) {
        if access(path, F_OK) == 0 { return }
        if errno != ENOENT { throw SystemError() }
        let parent = (path as NSString).deletingLastPathComponent
        if parent != path { try createFolder(parent) }
        // A link that leads to nothing is there too; it cannot be opened.
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError() }
        // Otherwise a loss of power might remove the new entry.
        try File(parent, O_RDONLY | O_DIRECTORY, isAnyones: true).synchronize()
    }
}
