import DisplayInterface
import Foundation
import LoginInterface
import NotesInterface
import RouterServiceInterface
import RouterServiceProgram

/// A call from another program: a URL that the App is to open.
struct Call: Codable, Sendable {
    /// The URL.
    let url: URL
    /// Whether the caller waits for the output of the destination.
    let waits: Bool
}

/// The answer to a call.
struct CallAnswer: Codable, Sendable {
    /// The exit status of the program that sent the call.
    var status: Int32 = 0
    /// The output of the destination as JSON; nil where it has none, or nobody waits for it.
    var output: String?
    /// The reason for a status that is not 0, for the user.
    var message: String?
}

extension Call {
    /// The most seconds until a call is sent, and until it is accepted.
    private static let maximumSeconds = 5
    /// The most bytes of a URL, each of which JSON may escape.
    private static let maximumURL = FileHandle.maximumBytes / 2

    /// Sends the call to the App that uses the data of a folder, waits for the answer, and prints it.
    ///
    /// The App has to accept the call within the limit; its user may then take any time.
    ///
    /// - Returns: The exit status.
    /// - Throws: `ArgumentError` for a URL that is too long.
    func send(toTheAppWith folder: String) throws -> Int32 {
        guard url.absoluteString.utf8.count <= Self.maximumURL else {
            throw ArgumentError("--send takes a URL of at most \(Self.maximumURL >> 10) KiB")
        }
        let deadline = ContinuousClock.now + .seconds(Self.maximumSeconds)
        let connection: FileHandle?
        do {
            connection = try CallSocket.connect(in: folder, within: Self.maximumSeconds)
        } catch POSIXError.EAGAIN {
            connection = nil
        } catch {
            printError("App: No App uses the data in \(shortened(folder)).")
            return 69
        }
        connection?.send(self)
        guard let connection, connection.hasInput(before: deadline) else {
            printError(
                "App: The App that uses the data in \(shortened(folder)) did not accept the call within "
                    + "\(Self.maximumSeconds) seconds. "
                    + "It may be stopped, or its terminal may not read what it shows.")
            return 69
        }
        guard let answer: CallAnswer = connection.receive() else {
            printError("App: The App ended before it answered.")
            return 1
        }
        if let output = answer.output { try printOutput(output) }
        if let message = answer.message { printError("App: \(Display.PlainText.line(message))") }
        return answer.status
    }

    /// Reads a call, which has to come within the limit, accepts it, and has it answered.
    static func receive(
        from connection: FileHandle, by answers: @escaping @MainActor (Call) async -> CallAnswer
    ) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(maximumSeconds)) {
            connection.shutDown(SHUT_RD)
        }
        guard let call: Call = connection.receive() else {
            let message =
                "A call is a line of JSON with 'url' and 'waits', of at most 64 KiB, "
                + "sent within \(maximumSeconds) seconds."
            return connection.send(CallAnswer(status: 64, message: message))
        }
        Task { @MainActor in
            // A caller whose call was not accepted in time has gone.
            guard connection.accept() else { return }
            let answer = await answers(call)
            // The caller may take its time to read.
            DispatchQueue.global().async { connection.send(answer) }
        }
    }
}

// The two ends of a connection: each sends one line of JSON, and nothing after it. Before its line, the App accepts the
// call with an empty one, which is white space in front of the JSON.
extension FileHandle {
    /// The most bytes of a line.
    fileprivate static let maximumBytes = 64 << 10

    /// Sends a value, or why it cannot be sent; lost if the other end is closed.
    fileprivate func send(_ value: some Encodable) {
        guard let line = try? JSONEncoder().encode(value), line.count < Self.maximumBytes else {
            return send(CallAnswer(status: 1, message: "The output is larger than 64 KiB."))
        }
        try? write(contentsOf: line + Data("\n".utf8))
        shutDown(SHUT_WR)
    }

    /// Accepts a call.
    ///
    /// - Returns: False where the other end is closed.
    fileprivate func accept() -> Bool { (try? write(contentsOf: Data("\n".utf8))) != nil }

    /// Waits until the other end has sent something, or closes the connection.
    ///
    /// - Returns: False where it does neither in time.
    fileprivate func hasInput(before deadline: ContinuousClock.Instant) -> Bool {
        var request = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(max(0, (deadline - .now) / .milliseconds(1)))) > 0
    }

    /// Waits until the other end has sent a value; nil where it closes the connection, or sends something else.
    fileprivate func receive<Value: Decodable>() -> Value? {
        try? read(upToCount: Self.maximumBytes).map { try JSONDecoder().decode(Value.self, from: $0) }
    }

    fileprivate func shutDown(_ direction: some BinaryInteger) {
        shutdown(fileDescriptor, Int32(direction))
    }
}

extension ProgramRouter {
    /// Performs a call from outside, as soon as the user types nothing.
    func answer(_ call: Call) async -> CallAnswer {
        do {
            // A URL that leads nowhere is an error for a caller that does not wait, too.
            _ = try catalog.route(named: call.url)
            let terminal = try resolve((any Display.Terminal).self)
            guard call.waits else {
                terminal.perform { do { try await self.open(call.url) } catch is CallRefused {} }
                return CallAnswer()
            }
            let (answers, answer) = AsyncStream.makeStream(of: CallAnswer.self)
            terminal.perform {
                // A task of its own, because the end of the App, which cancels actions, is no answer.
                let output = Task { await self.output(for: call) }
                answer.yield(await output.value)
            }
            for await answer in answers { return answer }
            throw CancellationError()
        } catch {
            return CallAnswer(error, of: call)
        }
    }

    private func output(for call: Call) async -> CallAnswer {
        do {
            do {
                return CallAnswer(output: String(decoding: try await output(of: call.url), as: UTF8.self))
            } catch RouterError.rejected(.outputNotEncodable, _) {
                try await open(call.url)
                return CallAnswer()
            }
        } catch {
            return CallAnswer(error, of: call)
        }
    }
}

extension CallAnswer {
    fileprivate init(_ error: any Error, of call: Call) {
        let reason = error is CancellationError ? UnusableInput(withoutOutput: call.url) : error
        (status, message) = (exitStatus(of: reason), errorMessage(of: reason))
    }
}

/// Asks before a link or a URL, which anybody may have written, signs the user out or sends notes, and lets Notes ask
/// before a user with unsent changes signs out.
struct ActionGuard: Interceptor {
    let sessions: any Login.Sessions
    let catalog: any RouteCatalog
    let dialog: Deferred<any Display.Dialog>

    func intercept(_ request: RouteRequest) async throws -> Interception {
        let (route, user) = (request.route, sessions.current?.user)
        if route is Login.SignOut, user == nil { return .proceed }
        func letNotesAsk() async throws -> Interception {
            if let user, route is Login.SignOut {
                try await request.result(of: Notes.ConfirmSignOut(author: user))
            }
            return .proceed
        }
        if request.origin == .code { return try await letNotesAsk() }
        let address = try Display.PlainText.line(shortened(catalog.url(for: route).absoluteString))
        do {
            let question = "A link from outside leads to \(address). Open it?"
            guard try await dialog.value.confirm(question) else { throw CancellationError() }
            return try await letNotesAsk()
        } catch is CancellationError where request.origin == .external && !Task.isCancelled {
            return .reject(CallRefused(address: address))
        }
    }
}

/// The user did not let a call from outside do what it asked for.
struct CallRefused: LocalizedError {
    let address: String

    var errorDescription: String? { "\(address) was refused by the user." }
}
