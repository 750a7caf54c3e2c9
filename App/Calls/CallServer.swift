import DisplayInterface
import Foundation
import RouterServiceInterface
import RouterServiceProgram

// The App that receives a call.
extension Call {
    /// Reads a call, which has to come within the limit, accepts it, and sends the answer of a function.
    ///
    /// - Parameters:
    ///   - connection: The connection with the caller.
    ///   - answers: Answers the call. Its second argument returns whether the caller has hung up meanwhile.
    static func receive(
        from connection: FileHandle,
        by answers: @escaping @MainActor (Call, _ isGone: @escaping @Sendable () -> Bool) async -> CallAnswer
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
            guard connection.sendEmptyLine() else { return }
            let answer = await answers(call) { !connection.sendEmptyLine() }
            // The caller may take its time to read.
            DispatchQueue.global().async { connection.send(answer) }
        }
    }
}

extension ProgramRouter {
    /// Performs a call from outside, as soon as the user types nothing.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isGone: Returns whether the caller has hung up; a call whose caller waits for its output is then dropped.
    /// - Returns: The answer.
    func answer(_ call: Call, unless isGone: @escaping @Sendable () -> Bool) async -> CallAnswer {
        do {
            // A URL that leads nowhere is an error for a caller that does not wait, too.
            let link = try catalog.link(of: call.url)
            let terminal = try resolve((any Display.Terminal).self)
            guard call.waits else {
                terminal.perform { do { try await self.open(link) } catch is CallRefused {} }
                return CallAnswer()
            }
            let (answers, answer) = AsyncStream.makeStream(of: CallAnswer.self)
            terminal.perform {
                defer { answer.finish() }
                if isGone() { return }
                // Its own task: the end of the App cancels actions, and a cancellation must not be sent as an answer.
                let output = Task { await self.output(of: link, for: call) }
                answer.yield(await output.value)
            }
            for await answer in answers { return answer }
            throw CancellationError()
        } catch {
            return CallAnswer(error, of: call)
        }
    }

    private func output(of link: AnyRoute, for call: Call) async -> CallAnswer {
        do {
            do {
                return CallAnswer(output: String(decoding: try await output(of: link), as: UTF8.self))
            } catch RouterError.rejected(.outputNotEncodable, _) {
                try await open(link)
                return CallAnswer()
            }
        } catch {
            return CallAnswer(error, of: call)
        }
    }
}

extension CallAnswer {
    fileprivate init(_ error: any Error, of call: Call) {
        let isWithoutOutput = error is UserDeclined || error is CancellationError
        let reason = isWithoutOutput ? UnusableInput(withoutOutput: call.url) : error
        (status, message) = (exitStatus(of: reason), errorMessage(of: reason))
    }
}
