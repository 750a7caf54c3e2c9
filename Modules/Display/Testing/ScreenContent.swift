public import DisplayInterface
public import RouterServiceInterface

extension Screen {
    /// The content screen that a feature built.
    ///
    /// - Throws: ``ContentInspectionError/noContent(screen:)`` when it is another kind of screen.
    @MainActor
    public func contentScreen() throws -> Display.ContentScreen {
        guard let screen = self as? Display.ContentScreen else {
            throw ContentInspectionError.noContent(screen: "\(type(of: self))")
        }
        return screen
    }
}
