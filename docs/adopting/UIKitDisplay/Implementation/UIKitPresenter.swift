import RouterServiceInterface
import RouterServiceProgram
import UIKit
import UIKitDisplayInterface

/// Shows pushed screens in a navigation controller, and each modal screen in a sheet with a navigation controller of its own.
///
/// A user who goes back, by button, gesture or swipe, is reported to the router, which may ask first; the screen is gone
/// when the router removes it.
@MainActor
final class UIKitPresenter: NSObject, Presenter, UIKitDisplay.Window {
    /// The window's navigation controller, and those of the sheets above it.
    private var levels = [Level()]
    /// Whether a sheet is going up or down; UIKit ignores calls for another one meanwhile.
    private var isMovingSheet = false

    override init() {
        super.init()
        levels[0].delegate = self
        // No sheet is presented before the window is there.
        levels[0].onAppear = { [weak self] in self?.updateSheets() }
    }

    var controller: UIViewController { levels[0] }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let entry = try Entry(screen, presentation)
        switch presentation.style {
        case .modal where !presentation.isRoot:
            let sheet = Level()
            sheet.delegate = self
            sheet.entries = [entry]
            sheet.update(animated: false)
            levels.append(sheet)
        case .push, .modal:
            levels[levels.count - 1].entries.append(entry)
            levels[levels.count - 1].update(animated: true)
        case .root, .embedded:
            // The router removes all others next.
            levels[0].entries.append(entry)
            levels[0].update(animated: false)
        }
        updateSheets()
    }

    func remove(_ presentations: [Presentation.ID]) {
        let removed = Set(presentations)
        // Released at the end, because they may call the router then.
        let former = levels.map { ($0, $0.entries) }
        defer { withExtendedLifetime(former) {} }
        var left: [Level] = []
        for (level, entries) in former {
            let kept = entries.filter { !removed.contains($0.presentation.id) }
            // A sheet shows its screens until it has gone down.
            guard left.isEmpty || !kept.isEmpty else { continue }
            level.entries = kept
            left.append(level)
        }
        levels = left
        for level in left { level.update(animated: true) }
        updateSheets()
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let new = try screens.mapValues { try Entry($0.screen, $0.presentation) }
        let former = levels.map { ($0, $0.entries) }
        defer { withExtendedLifetime(former) {} }
        for (level, entries) in former { level.entries = entries.map { new[$0.presentation.id] ?? $0 } }
        for (level, _) in former { level.update(animated: false) }
    }

    /// Has the next sheet go up or down, until those of the levels are shown.
    private func updateSheets() {
        guard !isMovingSheet, levels[0].viewIfLoaded?.window != nil else { return }
        for (index, level) in levels.enumerated() {
            let sheet = levels.indices.contains(index + 1) ? levels[index + 1] : nil
            let shown = level.presentedViewController
            // What a screen presents itself, such as an alert, stays until a sheet needs its place.
            guard shown !== sheet, sheet != nil || shown is Level else { continue }
            isMovingSheet = true
            let end = { [weak self] in
                self?.isMovingSheet = false
                self?.updateSheets()
            }
            if shown != nil {
                level.dismiss(animated: true, completion: end)
            } else if let sheet {
                sheet.presentationController?.delegate = self
                level.present(sheet, animated: true, completion: end)
            }
            // Ignored, because what a screen presents itself is moving; the next change tries again.
            let isIgnored =
                shown.map { level.presentedViewController === $0 && !$0.isBeingDismissed }
                ?? (level.presentedViewController !== sheet)
            if isIgnored { isMovingSheet = false }
            return
        }
    }
}

extension UIKitPresenter: UINavigationControllerDelegate {
    /// Reports a screen that the user popped with the edge gesture, and shows it again if the user stays.
    func navigationController(
        _ navigation: UINavigationController, didShow controller: UIViewController, animated: Bool
    ) {
        guard let level = navigation as? Level else { return }
        let popped = level.entries.first { !navigation.viewControllers.contains($0.controller) }
        guard let presentation = popped?.presentation else { return }
        Task {
            await presentation.close()
            if !presentation.isEnded { level.update(animated: true) }
        }
    }
}

extension UIKitPresenter: UIAdaptivePresentationControllerDelegate {
    /// Leaves it to the router whether a sheet goes.
    func presentationControllerShouldDismiss(_ controller: UIPresentationController) -> Bool { false }

    /// Reports that the user swiped a sheet down.
    func presentationControllerDidAttemptToDismiss(_ controller: UIPresentationController) {
        let sheet = controller.presentedViewController as? Level
        if let presentation = sheet?.entries.first?.presentation { Task { await presentation.close() } }
    }
}

/// The navigation controller of the window or of a sheet, with the screens that it is to show.
private final class Level: UINavigationController {
    var entries: [Entry] = []
    var onAppear: @MainActor () -> Void = {}

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        onAppear()
    }

    func update(animated: Bool) {
        let controllers = entries.map(\.controller)
        if viewControllers != controllers { setViewControllers(controllers, animated: animated) }
    }
}

@MainActor
private struct Entry {
    let controller: UIViewController
    let presentation: Presentation

    init(_ screen: any Screen, _ presentation: Presentation) throws {
        guard let controller = (screen as? UIKitDisplay.ControllerScreen)?.controller else {
            throw RouterError.unknownScreen(
                TypeKey(type(of: screen)), presenter: TypeKey(UIKitPresenter.self))
        }
        (self.controller, self.presentation) = (controller, presentation)
        if !presentation.isRoot {
            // The back button asks the router, in place of popping the screen.
            controller.navigationItem.backAction = UIAction { [weak presentation] _ in
                Task { await presentation?.close() }
            }
        }
    }
}
