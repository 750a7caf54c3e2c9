extension Display {
    /// What the terminal says of the whole program, above every screen.
    ///
    /// A required interface: Display says what it wants to know, and the App answers with an adapter over the modules
    /// that know it. Without one, the terminal says nothing.
    @MainActor
    public protocol Status: AnyObject {
        /// A few words, for example who is signed in; nil for nothing.
        ///
        /// Observable.
        var text: String? { get }
    }
}
