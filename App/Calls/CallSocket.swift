import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The socket on which the App receives calls from other programs of the user, in the folder with the user's data.
///
/// A killed App leaves the socket, and the next App replaces it. Other users may be able to write to the folder, so only a
/// socket of this user is replaced, and no link is followed.
struct CallSocket: Sendable {
    private let listener: Int32
    private let folder: String

    /// Locks the folder until the program ends, and begins to listen.
    ///
    /// - Throws: `UnusableInput` when another App uses the folder, or the folder cannot be made; another error where the socket
    ///   cannot be made.
    init(in folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw UnusableInput(
                "The folder \(shortened(folder)) cannot be made; choose another with --data or --ephemeral",
                because: (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error)
        }
        let lock = try checked(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        // An App that is ending holds the lock for a moment.
        for _ in 0..<20 where flock(lock, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(lock)
            throw UnusableInput(
                "Another App uses the data in \(shortened(folder)). Have that one open a URL with --send, or use "
                    + "another folder with --data or --ephemeral.")
        }
        self.folder = folder
        listener = try Self.make()
        remove()
        // chmod(2) would follow a link that has taken the place of the socket.
        let mask = umask(0o177)
        defer { umask(mask) }
        try Self.withAddress(in: folder) { [listener] in bind(listener, $0, $1) }
        try checked(listen(listener, 16))
    }

    /// A warning for the user about a folder that cannot be written, or that other users can write to.
    static func warning(about folder: String) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        let isWritable = access(folder, W_OK) == 0
        let folder = shortened(folder)
        if !isWritable {
            return
                "Your data is in \(folder), which cannot be written: no change is saved. Choose another folder with --data."
        }
        if status.st_uid != getuid() {
            return
                "Your data is in \(folder), which belongs to another user. Choose a folder of your own with --data."
        }
        if status.st_mode & (S_IWGRP | S_IWOTH) == 0 { return nil }
        return "Your data is in \(folder), which other users can write to. Keep them out with chmod go-w."
    }

    /// Passes each connection to a function, on a thread of its own.
    func serve(_ receive: @escaping @Sendable (FileHandle) -> Void) {
        Thread.detachNewThread { [listener] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    // The program may have no free descriptor for a moment.
                    usleep(100_000)
                    continue
                }
                let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                Thread.detachNewThread { receive(connection) }
            }
        }
    }

    /// Removes the socket, if it belongs to the user.
    func remove() {
        if Self.hasSocketOfUser(folder) { unlink("\(folder)/\(Self.name)") }
    }

    private static func hasSocketOfUser(_ folder: String) -> Bool {
        var status = stat()
        return lstat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
            && status.st_uid == getuid()
    }

    /// Connects to the App that uses a folder.
    ///
    /// Where the queue of calls is full, connecting waits on Linux, and fails at once on macOS, so a failure is final only if no
    /// App locks the folder.
    ///
    /// - Returns: The connection; nil where the App that uses the folder does not respond in time.
    /// - Throws: `POSIXError` where no App uses the folder.
    static func connect(in folder: String, before deadline: ContinuousClock.Instant) throws -> FileHandle? {
        while true {
            do {
                return try connection(in: folder, within: max(.milliseconds(20), deadline - .now))
            } catch {
                guard isLocked(folder) else { throw error }
                if .now >= deadline { return nil }
                usleep(20_000)
            }
        }
    }

    private static func connection(in folder: String, within time: Duration) throws -> FileHandle {
        let connection = FileHandle(fileDescriptor: try make(), closeOnDealloc: true)
        let microseconds = Int(time / .microseconds(1))
        var limit = timeval(
            tv_sec: .init(microseconds / 1_000_000), tv_usec: .init(microseconds % 1_000_000))
        try checked(
            setsockopt(
                connection.fileDescriptor, SOL_SOCKET, SO_SNDTIMEO, &limit,
                socklen_t(MemoryLayout<timeval>.size)))
        guard hasSocketOfUser(folder) else { throw POSIXError(.EACCES) }
        try withAddress(in: folder) { systemConnect(connection.fileDescriptor, $0, $1) }
        return connection
    }

    private static func isLocked(_ folder: String) -> Bool {
        guard let lock = try? checked(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return false }
        defer { close(lock) }
        return flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}

// The methods of `CallSocket` would hide the system call.
private func systemConnect(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
    connect(descriptor, address, size)
}

extension CallSocket {
    private static func make() throws -> Int32 {
        // Writing to a closed connection would end the program.
        signal(SIGPIPE, SIG_IGN)
        // SOCK_STREAM has another type on each platform.
        return try checked(socket(AF_UNIX, 1, 0))
    }

    private static let name = "App.socket"

    /// Makes a call with the address of a folder's socket.
    ///
    /// An address has at most 103 bytes on macOS, and 107 on Linux: where the path is longer, the folder is the working
    /// directory during the call.
    private static func withAddress(
        in folder: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var (address, path) = (sockaddr_un(), "\(folder)/\(name)")
        var former: Int32?
        defer {
            if let former {
                fchdir(former)
                close(former)
            }
        }
        if path.utf8.count >= MemoryLayout.size(ofValue: address.sun_path) {
            former = try checked(open(".", O_RDONLY | O_CLOEXEC))
            try checked(chdir(folder))
            path = name
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = try withUnsafePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try checked(call($0, socklen_t(MemoryLayout<sockaddr_un>.size)))
            }
        }
    }
}

/// - Throws: `POSIXError` for -1.
@discardableResult
private func checked(_ result: Int32) throws -> Int32 {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
}
