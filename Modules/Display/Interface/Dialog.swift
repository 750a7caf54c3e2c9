extension Display {
    /// What a feature says and asks beside its screens.
    ///
    /// A service, which the terminal answers: `@Dependency var dialog: any Display.Dialog`.
    @MainActor
    public protocol Dialog: AnyObject {
        /// Shows a few words for a moment, such as `Saved`, also when the screen that says them goes away.
        func notify(_ words: String)

        /// Asks the user a question, to be answered with yes or no, and waits.
        ///
        /// - Returns: Whether the answer was yes; false too when the calling task is cancelled or the terminal ends.
        func confirm(_ question: String) async -> Bool
    }
}
