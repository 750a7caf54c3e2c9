import RouterServiceInterface

/// A presenter that shows nothing and remembers only what was shown last, so that it takes next to no time.
@MainActor
final class TopmostPresenter: Presenter {
    private var topmost: Presentation?

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        topmost = presentation
    }

    func remove(_ presentations: [Presentation.ID]) {}

    /// Does what a person does who goes back.
    func goBack() {
        topmost?.close()
    }
}
