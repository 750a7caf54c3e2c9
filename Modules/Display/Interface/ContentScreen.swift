public import RouterServiceInterface

extension Display {
    /// A screen whose content follows from the state of its model.
    ///
    /// The content is asked for again whenever an `@Observable` property that it read has changed.
    public struct ContentScreen: Screen {
        /// What runs when the screen is first shown, and whenever it is on top again; loading what is not known
        /// yet, usually.
        ///
        /// Left out while another action of the screen runs, which knows what it led to; where that fails, it runs then.
        public let appear: Action?
        /// What the screen shows now.
        public let content: @MainActor () -> Content

        /// Creates a screen.
        public init(appear: Action? = nil, content: @escaping @MainActor () -> Content) {
            self.appear = appear
            self.content = content
        }
    }
}
