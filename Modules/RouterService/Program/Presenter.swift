public import RouterServiceInterface

/// Shows and removes screens: the terminal here, a `UINavigationController` elsewhere.
///
/// The router owns the stack. A user who goes back is reported to the router through `Presentation.close`, and
/// the router answers with ``remove(_:)``, so the two stacks stay equal. A presenter keeps the `Presentation` for as
/// long as it keeps the screen.
@MainActor
public protocol Presenter: AnyObject {
    /// Shows a screen above all others.
    ///
    /// - Throws: Any error; the router then forgets the screen, and the caller that opened the route receives it.
    func show(_ screen: any Screen, as presentation: Presentation) throws

    /// Removes screens, the topmost first; ignores presentations that are already gone.
    ///
    /// Embedded screens that have ended are among them, in the presenter's hands only within their parents.
    func remove(_ presentations: [Presentation.ID])

    /// Shows new screens in place of those with the same `Presentation.id`, because a module was replaced.
    ///
    /// - Throws: Any error; nothing may have changed then.
    func refresh(_ screens: [(screen: any Screen, presentation: Presentation)]) throws
}
