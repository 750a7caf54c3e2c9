public import RouterServiceInterface

extension Profile {
    /// Every route that this interface declares, for a program that checks that each is handled.
    public static var routes: [any Route.Type] { [Editor.self, Overview.self] }
}
