import RouterServiceInterface
import RouterServiceProgram

/// A presenter that shows nothing and remembers only the last screen, so that it takes next to no time.
@MainActor
final class TopmostPresenter: Presenter {
    private var topmost: Presentation?

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        topmost = presentation
    }

    func remove(_ presentations: [Presentation.ID]) {}

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        topmost = topmost.flatMap { screens[$0.id]?.presentation } ?? topmost
    }

    /// Goes back, as a user does.
    func goBack() async {
        await topmost?.close()
    }
}
