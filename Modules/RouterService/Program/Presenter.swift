public import RouterServiceInterface

/// Shows and removes screens: the terminal here, a `UINavigationController` elsewhere.
///
/// The router owns the stack: it answers `Presentation.close` with ``remove(_:)``. A presenter keeps the `Presentation`
/// for as long as it keeps the screen.
@MainActor
public protocol Presenter: AnyObject {
    /// Shows a screen above all others.
    ///
    /// - Throws: Any error; the router then forgets the screen, and the caller that opened the route receives it.
    func show(_ screen: any Screen, as presentation: Presentation) throws

    /// Removes screens, embedded ones too, the topmost first; ignores presentations that are already gone.
    func remove(_ presentations: [Presentation.ID])

    /// Shows new screens in place of others, by the `Presentation.id` of those.
    ///
    /// A screen with the same `Presentation.id` is the same to the user, of a replaced module; any other is another screen.
    ///
    /// - Throws: Any error; nothing may have changed then.
    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws
}
