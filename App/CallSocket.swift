import Foundation

/// The socket on which the App receives calls from other programs of the user, and the lock on the folder with its data.
///
/// The lock is a file with the path of the socket, which is in the same folder, or in a private one for temporary files
/// where its path would be too long for a socket. A killed App leaves both, and the next one takes them over.
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
        let lock = try checked(open("\(folder)/App.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        // An App that is ending holds the lock for a moment.
        for _ in 0..<20 where flock(lock, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(lock)
            throw UnusableInput(
                "Another App uses the data in \(shortened(folder)). Have that one open a URL with --send, or use "
                    + "another folder with --data, or none with --ephemeral.")
        }
        if let former = try? Self.path(in: folder) { Self.remove(former) }
        path = try Self.freePath(in: folder)
        listener = try Self.make()
        try Self.withAddress(of: path) { [listener] in bind(listener, $0, $1) }
        // Nobody can connect before the socket listens.
        try checked(chmod(path, 0o600))
        try checked(listen(listener, 16))
        let file = FileHandle(fileDescriptor: lock, closeOnDealloc: false)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(path.utf8))
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

    /// Connects to the App that uses a folder.
    ///
    /// - Throws: An error where none does.
    static func connect(in folder: String) throws -> FileHandle {
        let (path, descriptor) = (try path(in: folder), try make())
        try withAddress(of: path) { Foundation.connect(descriptor, $0, $1) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

// Paths and system calls.
extension CallSocket {
    /// The path of the socket of the last App that used a folder.
    private static func path(in folder: String) throws -> String {
        try String(contentsOfFile: "\(folder)/App.lock", encoding: .utf8)
    }

    private static func freePath(in folder: String) throws -> String {
        let usual = "\(folder)/App.socket"
        remove(usual)
        if isShort(usual) { return usual }
        var template = Array("\(NSTemporaryDirectory())ModularSwift-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return usual }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/socket"
    }

    /// Removes a socket, and its folder if that is one of its own: no other one is empty then.
    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        unlink(path)
        rmdir((path as NSString).deletingLastPathComponent)
    }

    private static func make() throws -> Int32 {
        // Otherwise, writing to a connection whose other end is closed ends the program.
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Darwin)
            return try checked(socket(AF_UNIX, SOCK_STREAM, 0))
        #else
            return try checked(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        #endif
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
