import DisplayInterface
import Foundation
import HTTPClientInterface
import RouterServiceInterface
import RouterServiceProgram

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that stores the stack of screens as JSON between runs; used by one App at a time.
@MainActor
final class StackFile {
    private let path: String
    private let descriptor: Int32
    /// The current content of the file.
    private var content: Data
    private var keeping: Task<Void, Never>?

    /// Opens the file and locks it until the program ends; a new file is readable by its owner only.
    ///
    /// - Throws: `UnusableInput` when the file cannot be read and written, or another App uses it.
    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        content = Data()
        guard descriptor >= 0 else { throw Self.unusable(path, Self.systemError) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.unusable(path, "It is not a file.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw Self.unusable(path, "Another App uses this file. Quit that one, or name another file.")
        }
        do {
            content = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
        } catch {
            throw UnusableInput("The stack in \(shortened(path)) cannot be restored", because: error)
        }
    }

    deinit { close(descriptor) }

    /// - Returns: The stack; nil when the file is empty or new.
    /// - Throws: `UnusableInput` when the file holds no stack that this version knows.
    func read(with routes: any RouteCatalog) throws -> RouterSnapshot? {
        if content.isEmpty { return nil }
        do {
            let stack = try RouterSnapshot(json: content, with: routes).storable
            if !stack.entries.isEmpty { return stack }
        } catch let error as DecodingError where HTTP.explanation(of: error).path.isEmpty {
        } catch {
            throw UnusableInput(
                "The stack in \(shortened(path)) cannot be restored", because: error,
                remedy: " Remove the file, or name another file.")
        }
        throw UnusableInput("The file \(shortened(path)) holds no stack. Remove it, or name another file.")
    }

    /// Saves the router's stack in the file now and after each change, so that the file holds the stack whatever ends the
    /// program.
    func keep(_ router: any ProgramRouter) {
        // A failure to write the file is reported at the end.
        keeping = observeStack(of: router) { [weak self] stack in try? self?.write(stack) }
    }

    /// Stops saving, if it has begun, and saves the router's current stack.
    ///
    /// - Throws: `UnusableInput` when the file cannot be written; the file is then unchanged.
    func finish(_ router: any ProgramRouter) throws {
        guard let keeping else { return }
        keeping.cancel()
        try write(router.snapshot(including: .file))
    }

    /// Replaces the stack in the file, in place, so that its mode, its lock and links to it stay as they are.
    ///
    /// White space after JSON means nothing. With white space, the file grows before one call replaces the content, and
    /// shrinks after that call, so that a program that is killed leaves the old stack or the new stack.
    private func write(_ stack: RouterSnapshot) throws {
        let new = Data("\(try jsonText(stack))\n".utf8)
        guard new != content else { return }
        let space = Data(repeating: UInt8(ascii: "\n"), count: abs(new.count - content.count))
        if new.count > content.count {
            do { try put(space, at: content.count) } catch {
                ftruncate(descriptor, off_t(content.count))
                throw error
            }
        }
        try put(new.count < content.count ? new + space : new, at: 0)
        ftruncate(descriptor, off_t(new.count))
        content = new
    }

    private func put(_ data: Data, at offset: Int) throws {
        lseek(descriptor, off_t(offset), SEEK_SET)
        do {
            try Display.Output(descriptor: descriptor).write(String(decoding: data, as: UTF8.self))
        } catch {
            throw Self.unusable(path, "\(String(cString: strerror(error.code))).")
        }
    }

    private static func unusable(_ path: String, _ reason: String) -> UnusableInput {
        UnusableInput("The stack cannot be kept in \(shortened(path)): \(reason)")
    }

    private static var systemError: String { "\(String(cString: strerror(errno)))." }
}
