import DisplayInterface
import Foundation

extension Call {
    /// Sends the call to the App that uses the data of a folder, waits for the response, and prints it.
    ///
    /// The App has to accept the call within the limit. The user may then take any time.
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
            connection = try CallSocket.connect(in: folder, before: deadline)
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
        guard let response: CallResponse = connection.receive() else {
            printError("App: The App ended before it responded.")
            return 1
        }
        if let output = response.output { try printOutput(output) }
        if let message = response.message { printError("App: \(Display.PlainText.line(message))") }
        return response.status
    }
}
