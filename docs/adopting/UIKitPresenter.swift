import RouterServiceInterface
import RouterServiceProgram
import UIKit

/// A view controller as a screen of the router.
struct ControllerScreen: Screen {
    /// The view controller.
    let controller: UIViewController

    init(_ controller: UIViewController) { self.controller = controller }
}

/// Shows pushed screens in a navigation controller, and each modal screen in a sheet with a navigation controller of its own.
///
/// A user who goes back, by button, gesture or swipe, is reported to the router, which may ask first; the screen is gone
/// when the router removes it.
@MainActor
final class UIKitPresenter: NSObject, Presenter {
    private struct Entry {
        let controller: UIViewController
        let presentation: Presentation
    }

    /// The window's navigation controller, and those of the sheets above it, with their screens.
    private var levels: [(navigation: UINavigationController, entries: [Entry])]

    /// Creates a presenter that shows its first screens in the window's navigation controller.
    init(in navigation: UINavigationController) {
        levels = [(navigation, [])]
        super.init()
        navigation.delegate = self
    }

    /// Shows a screen.
    ///
    /// - Throws: `RouterError.unknownStyle` for other styles than `push`, `modal` and `root`.
    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let entry = try entry(screen, presentation)
        switch presentation.style {
        case .push:
            levels[levels.count - 1].entries.append(entry)
            update(levels.count - 1, animated: true)
        case .modal:
            let sheet = UINavigationController()
            sheet.delegate = self
            sheet.presentationController?.delegate = self
            levels.append((sheet, [entry]))
            update(levels.count - 1, animated: false)
            levels[levels.count - 2].navigation.present(sheet, animated: true)
        case .root:
            // The router removes all others next.
            levels[0].entries.append(entry)
            update(0, animated: false)
        default:
            throw RouterError.unknownStyle(presentation.style, presenter: TypeName(Self.self))
        }
    }

    func remove(_ presentations: [Presentation.ID]) {
        let removed = Set(presentations)
        // Released at the end, because they may call the router then.
        let former = levels
        defer { withExtendedLifetime(former) {} }
        for level in levels.indices {
            levels[level].entries.removeAll { removed.contains($0.presentation.id) }
        }
        for level in levels.indices { update(level, animated: true) }
        // The lowest empty sheet takes those above it along.
        if let empty = levels.indices.dropFirst().first(where: { levels[$0].entries.isEmpty }) {
            levels[empty - 1].navigation.dismiss(animated: true)
            levels.removeAll { $0.entries.isEmpty && $0.navigation !== levels[0].navigation }
        }
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let entries = try screens.mapValues { try entry($0.screen, $0.presentation) }
        let former = levels
        defer { withExtendedLifetime(former) {} }
        for level in levels.indices {
            levels[level].entries = levels[level].entries.map { entries[$0.presentation.id] ?? $0 }
            update(level, animated: false)
        }
    }

    private func entry(_ screen: any Screen, _ presentation: Presentation) throws -> Entry {
        guard let controller = (screen as? ControllerScreen)?.controller else {
            throw UnknownScreen(type: TypeName(type(of: screen)))
        }
        if !presentation.isRoot {
            // The back button asks the router, in place of popping the screen.
            controller.navigationItem.backAction = UIAction { _ in Task { await presentation.close() } }
        }
        return Entry(controller: controller, presentation: presentation)
    }

    /// Has a navigation controller show the screens of its level.
    private func update(_ level: Int, animated: Bool) {
        let controllers = levels[level].entries.map(\.controller)
        if levels[level].navigation.viewControllers != controllers {
            levels[level].navigation.setViewControllers(controllers, animated: animated)
        }
    }

    private struct UnknownScreen: Error {
        let type: TypeName
    }
}

extension UIKitPresenter: UINavigationControllerDelegate {
    /// Reports a screen that the user popped with the edge gesture, and shows it again if the user stays.
    func navigationController(
        _ navigation: UINavigationController, didShow controller: UIViewController, animated: Bool
    ) {
        guard let level = levels.firstIndex(where: { $0.navigation === navigation }) else { return }
        let popped = levels[level].entries.first { !navigation.viewControllers.contains($0.controller) }
        guard let presentation = popped?.presentation else { return }
        Task {
            await presentation.close()
            if !presentation.isEnded { update(level, animated: true) }
        }
    }
}

extension UIKitPresenter: UIAdaptivePresentationControllerDelegate {
    /// Leaves it to the router whether a sheet goes.
    func presentationControllerShouldDismiss(_ controller: UIPresentationController) -> Bool { false }

    /// Reports that the user swiped a sheet down.
    func presentationControllerDidAttemptToDismiss(_ controller: UIPresentationController) {
        let sheet = levels.first { $0.navigation === controller.presentedViewController }
        if let presentation = sheet?.entries.first?.presentation { Task { await presentation.close() } }
    }
}
