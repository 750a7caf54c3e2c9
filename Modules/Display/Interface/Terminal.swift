public import RouterServiceInterface

extension Display {
    /// The presenter that shows screens in a terminal.
    @MainActor
    public protocol Terminal: Presenter, Dialog {
        /// Shows screens and takes what the user does, until the user quits or the input ends.
        ///
        /// - Parameter action: What the top screen does as soon as it has appeared, as if the user had chosen it:
        ///   opening what the program was started for, usually. The screen is busy until it ends, shows the error that it
        ///   throws, and cancels it when the screen is removed or the user quits.
        /// - Throws: An error of the terminal itself, which is restored in any case.
        func run(performing action: Action?) async throws
    }
}

extension Display.Terminal {
    /// Shows screens and takes what the user does, until the user quits or the input ends.
    ///
    /// - Throws: An error of the terminal itself, which is restored in any case.
    public func run() async throws {
        try await run(performing: nil)
    }
}
