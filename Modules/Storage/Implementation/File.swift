import Foundation

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

    /// Makes a system call, again where a signal interrupted it.
    ///
    /// - Returns: The result of the call.
    /// - Throws: `SystemError` when that was negative.
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

    /// Opens a file or a folder; a new file is readable by its owner only.
    ///
    /// - Throws: `SystemError`, with `ELOOP` for a link and for what others may have put there, unless `isAnyones`.
    init(_ path: String, _ flags: Int32, isAnyones: Bool = false) throws(SystemError) {
        let flags = flags | O_CLOEXEC | O_NONBLOCK | (isAnyones ? 0 : O_NOFOLLOW)
        descriptor = try SystemError.check { open(path, flags, 0o600) }
        var status = stat()
        try SystemError.check { fstat(descriptor, &status) }
        guard isAnyones || status.st_uid == getuid() && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        else {
            throw SystemError(code: ELOOP)
        }
    }

    deinit { close(descriptor) }

    /// Whether a path leads to this file; false if it leads to none.
    ///
    /// - Throws: `SystemError` with `ESTALE` when it leads to another file.
    func isAt(_ path: String) throws(SystemError) -> Bool {
        var (own, found) = (stat(), stat())
        try SystemError.check { fstat(descriptor, &own) }
        if stat(path, &found) != 0, [ENOENT, ENOTDIR].contains(errno) { return false }
        guard own.st_ino == found.st_ino, own.st_dev == found.st_dev else { throw SystemError(code: ESTALE) }
        return true
    }

    /// The size of the file in bytes.
    func count() throws(SystemError) -> Int { try Int(SystemError.check { lseek(descriptor, 0, SEEK_END) }) }

    /// Reads a range of the file.
    ///
    /// - Throws: `SystemError`, also where the file ends before.
    func read(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: range.count), 0)
        while count < bytes.count {
            let read = try SystemError.check {
                bytes.withUnsafeMutableBytes {
                    pread(
                        descriptor, $0.baseAddress?.advanced(by: count), $0.count - count,
                        off_t(range.lowerBound + count))
                }
            }
            if read == 0 { throw SystemError(code: EIO) }
            count += read
        }
        return bytes
    }

    /// Writes bytes at an offset, in as many pieces as the system takes them.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = try SystemError.check {
                bytes[written...].withUnsafeBytes {
                    pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + written))
                }
            }
            if count == 0 { throw SystemError(code: EIO) }
            written += count
        }
    }

    /// Truncates the file to its first bytes.
    func truncate(to count: Int) throws(SystemError) {
        try SystemError.check { ftruncate(descriptor, off_t(count)) }
    }

    /// Waits until all written data would survive a loss of power.
    func synchronize() throws(SystemError) {
        #if canImport(Darwin)
            // Otherwise the drive may keep it in its cache (fsync(2)); some file systems know no other way.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try SystemError.check { fsync(descriptor) }
    }

    /// Locks the file until it is released.
    ///
    /// - Throws: `SystemError` with `EWOULDBLOCK` when something else has locked it.
    func lock() throws(SystemError) {
        // A program that is ending, and a store that is being released, hold the lock for a moment.
        for _ in 0..<20 where flock(descriptor, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
        try SystemError.check { flock(descriptor, LOCK_EX | LOCK_NB) }
    }
}

/// Folders, which have to be synchronised like files when their entries have changed.
enum Directory {
    /// Locks a folder until the result is released, and creates it where it is missing.
    static func locked(_ path: String) throws(SystemError) -> File {
        try create(path)
        let folder = try File(path, O_RDONLY)
        try folder.lock()
        return folder
    }

    /// Waits until new, renamed and removed entries of a folder would survive a loss of power.
    static func synchronize(_ path: String) throws(SystemError) {
        try File(path, O_RDONLY | O_DIRECTORY, isAnyones: true).synchronize()
    }

    /// Creates a folder and its missing parents; only their owner has access to new ones.
    private static func create(_ path: String) throws(SystemError) {
        if access(path, F_OK) == 0 { return }
        if errno != ENOENT { throw SystemError() }
        let parent = (path as NSString).deletingLastPathComponent
        if parent != path { try create(parent) }
        // A link that leads to nothing is there too; it cannot be opened.
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError() }
        try synchronize(parent)
    }
}
