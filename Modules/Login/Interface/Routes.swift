public import RouterServiceInterface

extension Login {
    /// Every route that this interface declares, for a program that checks that each is handled.
    public static var routes: [any Route.Type] { [SignIn.self, SignOut.self] }
}
