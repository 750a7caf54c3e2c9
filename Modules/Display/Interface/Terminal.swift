public import RouterServiceInterface

extension Display {
    /// The presenter that shows screens in a terminal.
    @MainActor
    public protocol Terminal: Presenter {
        /// Shows screens and takes what the person does, until the person quits or the input ends.
        ///
        /// - Throws: An error of the terminal itself, which is restored in any case.
        func run() async throws
    }
}
