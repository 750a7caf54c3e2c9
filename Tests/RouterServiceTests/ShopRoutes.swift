import RouterServiceInterface

extension Shop {
    /// Finishes with the name of the user who signed in.
    struct SignIn: Route {
        typealias Output = String
        static let identifier = "shop.sign-in"
    }

    /// A route that most tests guard or switch off.
    struct Account: Route {
        typealias Output = String
        static let identifier = "shop.account"
        var owner = "ann"
    }

    /// Another route of the account's output.
    struct Help: Route {
        typealias Output = String
        static let identifier = "shop.help"
    }

    /// Usually an action.
    struct Count: Route {
        typealias Output = Int
        static let identifier = "shop.count"
        var limit = 10
    }
}
