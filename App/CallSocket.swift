import Foundation

/// The socket on which the App receives calls from other programs of the user, and the lock on the folder with its data.
///
/// The lock is a file with the path of the socket, which is in the same folder, or in a private one for temporary files
/// where its path would be too long for a socket. A killed App leaves both, and the next one takes them over. Others may
/// be able to write the folder, so only files, sockets and folders of the user's own are used, and no links.
struct CallSocket: Sendable {
    private let listener: Int32
    private let path: String

    /// Locks the folder until the program ends, and begins to listen.
    ///
    /// - Throws: `UnusableInput` when another App uses the folder; any other error where there can be no socket.
    init(in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Storage relies on a folder that survives a loss of power.
        try? FileHandle(forReadingAtPath: (folder as NSString).deletingLastPathComponent)?.synchronize()
        let lock = try Self.lockFile(in: folder, O_RDWR | O_CREAT)
        // An App that is ending holds the lock for a moment.
        for _ in 0..<20 where flock(lock, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(lock)
            throw UnusableInput(
                "Another App uses the data in \(shortened(folder)). Have that one open a URL with --send, or use "
                    + "another folder with --data, or none with --ephemeral.")
        }
        let file = FileHandle(fileDescriptor: lock, closeOnDealloc: false)
        let former = try Self.path(in: file)
        // A hard link leads to a file of something else.
        guard former.isEmpty || former.hasPrefix("/") && !former.contains("\n") else {
            close(lock)
            throw UnusableInput(
                "\(shortened(folder))/App.lock is not a file of the App's. Remove it, or use another folder with --data."
            )
        }
        if Self.isInOwnFolder(former), Self.isAbandoned(former) { Self.remove(former) }
        path = try Self.freePath(in: folder)
        listener = try Self.make()
        // Not by chmod(2), which would follow a link that has taken the place of the socket.
        let mask = umask(0o177)
        defer { umask(mask) }
        try Self.withAddress(of: path) { [listener] in bind(listener, $0, $1) }
        try checked(listen(listener, 16))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(path.utf8))
    }

    /// A sentence for the user about a folder in which other users can plant files; nil where they cannot.
    static func warning(about folder: String) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        let folder = shortened(folder)
        if status.st_uid != getuid() {
            return
                "Your data is in \(folder), which belongs to another user. Choose a folder of your own with --data."
        }
        if status.st_mode & (S_IWGRP | S_IWOTH) == 0 { return nil }
        return "Your data is in \(folder), which other users can write to. Keep them out with chmod go-w."
    }

    /// Passes each connection with a program of the user to a function, on a thread of its own, until the program ends.
    func serve(_ receive: @escaping @Sendable (FileHandle) -> Void) {
        Thread.detachNewThread { [listener] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    // There may be descriptors again later.
                    usleep(100_000)
                    continue
                }
                let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                if Self.user(of: descriptor) == getuid() { Thread.detachNewThread { receive(connection) } }
            }
        }
    }

    /// Removes the socket at the end of the program.
    func remove() { Self.remove(path) }

    /// Connects to the App that uses a folder, which may take a time limit in seconds.
    ///
    /// - Throws: `POSIXError`, with `EAGAIN` where an App that uses the folder does not respond.
    static func connect(in folder: String, within seconds: Int) throws -> FileHandle {
        let lock = FileHandle(fileDescriptor: try lockFile(in: folder, O_RDONLY), closeOnDealloc: true)
        let path = try path(in: lock)
        let connection = FileHandle(fileDescriptor: try make(), closeOnDealloc: true)
        // Calls that were not accepted wait in a queue, which may be full.
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        try checked(
            setsockopt(
                connection.fileDescriptor, SOL_SOCKET, SO_SNDTIMEO, &limit,
                socklen_t(MemoryLayout<timeval>.size)))
        try withAddress(of: path) { Foundation.connect(connection.fileDescriptor, $0, $1) }
        guard user(of: connection.fileDescriptor) == getuid() else { throw POSIXError(.EACCES) }
        return connection
    }
}

// Paths and system calls.
extension CallSocket {
    /// Opens the lock of a folder.
    ///
    /// - Throws: `UnusableInput` when something else is at its place; `POSIXError`.
    private static func lockFile(in folder: String, _ flags: Int32) throws -> Int32 {
        let path = "\(folder)/App.lock"
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        let code = POSIXErrorCode(rawValue: errno) ?? .EIO
        var status = stat()
        let isThere = (descriptor < 0 ? lstat(path, &status) : fstat(descriptor, &status)) == 0
        guard !isThere || isOwn(status, S_IFREG) else {
            close(descriptor)
            throw UnusableInput(
                "\(shortened(path)) is a link, or not a file of yours. Remove it, or use another folder with --data."
            )
        }
        if descriptor < 0 { throw POSIXError(code) }
        return descriptor
    }

    /// The path of the socket that the last App with a lock wrote into it.
    private static func path(in lock: FileHandle) throws -> String {
        String(decoding: try lock.read(upToCount: 4096) ?? Data(), as: UTF8.self)
    }

    private static func isOwn(_ status: stat, _ kind: mode_t) -> Bool {
        status.st_mode & S_IFMT == kind && status.st_uid == getuid()
    }

    /// Whether no program listens at a socket any more.
    ///
    /// One does where the folder with the lock is a copy of one that is in use.
    private static func isAbandoned(_ path: String) -> Bool {
        guard let descriptor = try? make() else { return false }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        do {
            try withAddress(of: path) { Foundation.connect(descriptor, $0, $1) }
        } catch POSIXError.ECONNREFUSED {
            return true
        } catch {}
        return false
    }

    /// The beginning of the names of folders that are made for a socket.
    private static let folderName = "ModularSwift-"

    /// Whether a path is that of a socket in a folder that was made for it.
    private static func isInOwnFolder(_ path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        var status = stat()
        return path.hasSuffix("/socket") && (folder as NSString).lastPathComponent.hasPrefix(folderName)
            && lstat(folder, &status) == 0 && isOwn(status, S_IFDIR)
    }

    private static func freePath(in folder: String) throws -> String {
        let usual = "\(folder)/App.socket"
        remove(usual)
        if isShort(usual) { return usual }
        var template = Array("\(NSTemporaryDirectory())\(folderName)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return usual }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/socket"
    }

    /// Removes a socket of the user's, and its folder if that was made for it.
    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, isOwn(status, S_IFSOCK) else { return }
        unlink(path)
        if isInOwnFolder(path) { rmdir((path as NSString).deletingLastPathComponent) }
    }

    private static func make() throws -> Int32 {
        // Otherwise, writing to a connection whose other end is closed ends the program.
        signal(SIGPIPE, SIG_IGN)
        // SOCK_STREAM, which is of another type on each platform.
        return try checked(socket(AF_UNIX, 1, 0))
    }

    /// The user at the other end; nil where the system does not know it.
    private static func user(of descriptor: Int32) -> uid_t? {
        #if canImport(Darwin)
            var (user, group) = (uid_t(), gid_t())
            return getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #else
            // A process, a user and a group: unix(7).
            var (peer, size) = ([uid_t](repeating: 0, count: 3), socklen_t(12))
            return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer[1] : nil
        #endif
    }

    private static func withAddress(
        of path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        guard isShort(path) else { throw POSIXError(.ENAMETOOLONG) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = try withUnsafePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try checked(call($0, socklen_t(MemoryLayout<sockaddr_un>.size)))
            }
        }
    }

    /// Whether a socket may have a path: of at most 103 bytes on macOS, and 107 on Linux.
    private static func isShort(_ path: String) -> Bool {
        path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    }
}

/// The result of a system call.
///
/// - Throws: `POSIXError` for -1.
@discardableResult
private func checked(_ result: Int32) throws -> Int32 {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
}
