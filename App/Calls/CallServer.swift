import DisplayInterface
import Foundation
import RouterServiceInterface
import RouterServiceProgram

extension Call {
    /// Reads a call, accepts it, and sends the response of a function.
    static func receive(
        from connection: FileHandle,
        by respond:
            @escaping @MainActor (Call, _ hasHungUp: @escaping @Sendable () -> Bool) async -> CallResponse
    ) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(maximumSeconds)) {
            connection.shutDown(SHUT_RD)
        }
        guard let call: Call = connection.receive() else {
            let message =
                "A call is a line of JSON with 'url', of at most 64 KiB, sent within \(maximumSeconds) seconds."
            return connection.send(CallResponse(status: 64, message: message))
        }
        Task { @MainActor in
            // A caller whose call was not accepted in time has hung up.
            guard connection.sendEmptyLine() else { return }
            let response = await respond(call) { !connection.sendEmptyLine() }
            // Sending waits until the caller reads.
            DispatchQueue.global().async { connection.send(response) }
        }
    }
}

extension ProgramRouter {
    /// Performs a call as soon as the user types nothing, unless the caller has hung up by then.
    func respond(to call: Call, unless hasHungUp: @escaping @Sendable () -> Bool) async -> CallResponse {
        do {
            let link = try catalog.link(of: call.url)
            let (responses, response) = AsyncStream.makeStream(of: CallResponse.self)
            try resolve((any Display.Terminal).self).perform {
                defer { response.finish() }
                if hasHungUp() { return }
                // Quitting cancels actions, and a cancellation must not be sent as a response.
                let output = Task { await self.output(of: link, for: call) }
                response.yield(await output.value)
            }
            for await response in responses { return response }
            return CallResponse(UserDeclined(), of: call)
        } catch {
            return CallResponse(error, of: call)
        }
    }

    private func output(of link: AnyRoute, for call: Call) async -> CallResponse {
        do {
            do {
                return CallResponse(output: String(decoding: try await output(of: link), as: UTF8.self))
            } catch RouterError.rejected(.outputNotEncodable, _) {
                try await open(link)
                return CallResponse()
            }
        } catch {
            return CallResponse(error, of: call)
        }
    }
}

extension CallResponse {
    fileprivate init(_ error: any Error, of call: Call) {
        if error is UserDeclined {
            self.init(
                status: 1, message: "\(shortened(call.url.absoluteString)) was left without an output.")
        } else {
            self.init(status: exitStatus(of: error), message: errorMessage(of: error))
        }
    }
}
