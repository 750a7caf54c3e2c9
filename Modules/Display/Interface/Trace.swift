extension Display {
    /// What happens behind the screens, for the pane that the key `t` opens beside them.
    ///
    /// A required interface, as ``Status`` is: Display says what it wants to know, and the App answers with an adapter
    /// over the router. Without one, the key does nothing.
    @MainActor
    public protocol Trace: AnyObject {
        /// The navigation stack, the topmost last.
        ///
        /// Observable, as are the others.
        var stack: [String] { get }
        /// What the router decided and did, the last at the end.
        var events: [String] { get }
        /// The services that were created, in that order.
        var services: [String] { get }
    }
}
