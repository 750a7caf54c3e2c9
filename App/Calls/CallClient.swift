import DisplayInterface
import Foundation

extension Call {
    /// Sends a call to the App that uses the data of a folder, waits for the response, and prints it.
    ///
    /// The App has to accept the call within the limit. The user may then take any time.
    ///
    /// - Returns: The exit status.
    static func send(_ url: URL, toTheAppWith folder: String) throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(maximumSeconds)
        let connection: FileHandle?
        do {
            connection = try CallSocket.connect(in: folder, before: deadline)
        } catch {
            printError("App: No App uses the data in \(shortened(folder)).")
            return 69
        }
        connection?.finish(with: url.absoluteString)
        guard let connection, connection.hasInput(before: deadline) else {
            printError(
                "App: The App that uses the data in \(shortened(folder)) did not accept the call within "
                    + "\(maximumSeconds) seconds. "
                    + "It may be stopped, or its terminal may not read what it shows.")
            return 69
        }
        var received = (try? connection.read(upToCount: 1)) ?? Data()
        if !connection.hasInput(before: .now + .seconds(1)) { printError("App: \(waiting)") }
        received += (try? connection.readToEnd()) ?? Data()
        guard let response = try? JSONDecoder().decode(CallResponse.self, from: received) else {
            printError("App: The App ended before it responded.")
            return 1
        }
        if let output = response.output { try printOutput(output) }
        if let message = response.message { printError("App: \(Display.PlainText.line(message))") }
        return response.status
    }

    /// The state of an accepted call that the App has not begun.
    static let waiting =
        "The App opens the URL as soon as its user has finished a text, a question or an action. Ctrl-C gives up."
}
