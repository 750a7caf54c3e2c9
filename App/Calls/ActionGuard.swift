import DisplayInterface
import Foundation
import LoginInterface
import NotesInterface
import RouterServiceInterface

/// Asks the user before a link or a URL signs out, and lets Notes ask before a user with unsent changes signs out.
struct ActionGuard: Interceptor {
    let sessions: any Login.Sessions
    let catalog: any RouteCatalog
    let dialog: Deferred<any Display.Dialog>

    func intercept(_ request: RouteRequest) async throws -> Interception {
        guard let user = sessions.current?.user else { return .proceed }
        let url = try catalog.url(for: request.route).absoluteString
        let address = Display.PlainText.line(shortened(url))
        do {
            if request.origin != .code {
                let question = "A link from outside leads to \(address). Open it?"
                guard try await dialog.value.confirm(question) else { throw UserDeclined() }
            }
            try await request.result(of: Notes.ConfirmSignOut(author: user))
            return .proceed
        } catch is UserDeclined where request.origin == .external {
            return .reject(CallRefused(address: address))
        }
    }
}

/// The user refused what a call from outside asked for.
struct CallRefused: LocalizedError {
    let address: String

    var errorDescription: String? { "\(address) was refused by the user." }
}
