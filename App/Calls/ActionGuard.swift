import DisplayInterface
import Foundation
import LoginInterface
import NotesInterface
import RouterServiceInterface

/// Asks the user before a link or a URL signs out or sends notes, and lets Notes ask before a user with unsent changes signs out.
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
            guard try await dialog.value.confirm(question) else { throw UserDeclined() }
            return try await letNotesAsk()
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
