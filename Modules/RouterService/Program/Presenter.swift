public import RouterServiceInterface

/// Shows and removes screens: the terminal here, a `UINavigationController` elsewhere.
///
/// A presenter keeps the `Presentation` of a screen for as long as the screen. The user leaves a screen by `Presentation.close`,
/// after which the router calls ``remove(_:)``.
@MainActor
public protocol Presenter: AnyObject {
    /// Shows a screen above all others.
    ///
    /// - Throws: Any error; the router then forgets the screen, and the caller that opened the route receives it.
    func show(_ screen: any Screen, as presentation: Presentation) throws

    /// Removes screens, the topmost first, also embedded screens; ignores presentations that are gone.
    func remove(_ presentations: [Presentation.ID])

    /// Shows new screens in place of shown screens, by the `Presentation.id` of the shown screens.
    ///
    /// To the user, a new screen with the same `Presentation.id` is the same screen, of a replaced module.
    ///
    /// - Throws: Any error; nothing may have changed then.
    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws
}
