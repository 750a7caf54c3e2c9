import DisplayInterface
import Foundation
import RouterServiceInterface
import RouterServiceProgram

extension Call {
    /// Reads a call, accepts it, and sends the response of a function.
    ///
    /// The function calls `begin` before it opens the URL; the result is false where the caller has hung up.
    static func receive(
        from connection: FileHandle,
        by respond:
            @escaping @MainActor (URL, _ begin: @escaping @Sendable () -> Bool) async -> CallResponse
    ) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(maximumSeconds)) {
            connection.shutDown(SHUT_RD)
        }
        guard let url = Self.url(from: connection) else {
            let message =
                "A call is a line with a URL of less than 64 KiB, sent within \(maximumSeconds) seconds."
            return Self.send(CallResponse(status: 64, message: message), to: connection)
        }
        Task { @MainActor in
            // A caller whose call was not accepted in time has hung up.
            guard connection.sendEmptyLine() else { return }
            let response = await respond(url) { connection.sendEmptyLine() }
            // Sending waits until the caller reads.
            DispatchQueue.global().async { Self.send(response, to: connection) }
        }
    }

    /// Waits for a whole line with a URL; nil where the caller sends something else.
    private static func url(from connection: FileHandle) -> URL? {
        guard let line = try? connection.read(upToCount: maximumBytes), line.last == UInt8(ascii: "\n")
        else { return nil }
        return URL(string: String(decoding: line.dropLast(), as: UTF8.self))
    }

    private static func send(_ response: CallResponse, to connection: FileHandle) {
        let text = try? JSONEncoder().encode(response)
        connection.finish(with: String(decoding: text ?? Data(), as: UTF8.self))
    }
}

extension ProgramRouter {
    /// Opens the URL of a call as soon as the user types nothing, unless the caller has hung up by then.
    func respond(to url: URL, beginning begin: @escaping @Sendable () -> Bool) async -> CallResponse {
        do {
            let link = try catalog.link(of: url)
            let (responses, response) = AsyncStream.makeStream(of: CallResponse.self)
            try resolve((any Display.Terminal).self).perform {
                defer { response.finish() }
                guard begin() else { return }
                // Quitting cancels actions, and a cancellation must not be sent as a response.
                let output = Task { await self.output(of: link, at: url) }
                response.yield(await output.value)
            }
            for await response in responses { return response }
            return CallResponse(UserDeclined(), at: url)
        } catch {
            return CallResponse(error, at: url)
        }
    }

    private func output(of link: AnyRoute, at url: URL) async -> CallResponse {
        do {
            do {
                return CallResponse(output: String(decoding: try await output(of: link), as: UTF8.self))
            } catch RouterError.rejected(.outputNotEncodable, _) {
                try await openFromOutside(link)
                return CallResponse()
            }
        } catch {
            return CallResponse(error, at: url)
        }
    }
}

extension CallResponse {
    fileprivate init(_ error: any Error, at url: URL) {
        if error is UserDeclined {
            self.init(status: 1, message: "\(shortened(url.absoluteString)) was left without an output.")
        } else {
            self.init(status: exitStatus(of: error), message: errorMessage(of: error))
        }
    }
}
