import Observation
import RouterServiceInterface
import RouterServiceProgram
import SwiftUI

/// A view as a screen of the router.
struct ViewScreen: Screen {
    fileprivate let view: AnyView

    init(_ view: some View) { self.view = AnyView(view) }
}

/// Holds the screens that a ``RouterView`` shows: pushed ones on a path, and each modal one in a sheet with a path of its own.
@Observable
@MainActor
final class SwiftUIPresenter: Presenter {
    fileprivate struct Entry: Identifiable {
        let view: AnyView
        let presentation: Presentation

        var id: Presentation.ID { presentation.id }
    }

    /// The screens of the window, and those of each sheet above it; the first of each is the root of a path.
    fileprivate var levels: [[Entry]] = []
    /// Changes where SwiftUI has to show again what a user left and stays on.
    fileprivate var revision = 0

    /// Creates a presenter without a screen.
    init() {}

    /// Shows a screen.
    ///
    /// - Throws: `RouterError.unknownStyle` for other styles than `push`, `modal` and `root`.
    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let entry = try entry(screen, presentation)
        switch presentation.style {
        case .push where !levels.isEmpty: levels[levels.count - 1].append(entry)
        case .push, .modal: levels.append([entry])
        // The router removes all others next.
        case .root: levels = levels.isEmpty ? [[entry]] : [levels[0] + [entry]] + levels.dropFirst()
        default: throw RouterError.unknownStyle(presentation.style, presenter: TypeName(Self.self))
        }
    }

    func remove(_ presentations: [Presentation.ID]) {
        let removed = Set(presentations)
        let left = levels.map { $0.filter { !removed.contains($0.id) } }.filter { !$0.isEmpty }
        // Released after the change, because they may call the router then.
        let former = levels
        levels = left
        withExtendedLifetime(former) {}
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let entries = try screens.mapValues { try entry($0.screen, $0.presentation) }
        let former = levels
        levels = levels.map { $0.map { entries[$0.id] ?? $0 } }
        withExtendedLifetime(former) {}
    }

    private func entry(_ screen: any Screen, _ presentation: Presentation) throws -> Entry {
        guard let view = (screen as? ViewScreen)?.view else {
            throw UnknownScreen(type: TypeName(type(of: screen)))
        }
        return Entry(view: view, presentation: presentation)
    }

    fileprivate func view(of id: Presentation.ID) -> AnyView? {
        levels.joined().first { $0.id == id }?.view
    }

    /// Reports that the user leaves a screen; if the user stays, it is shown again.
    fileprivate func leave(_ presentation: Presentation) {
        Task {
            await presentation.close()
            if !presentation.isEnded { revision += 1 }
        }
    }

    private struct UnknownScreen: Error {
        let type: TypeName
    }
}

/// Shows the screens of a presenter; the App's window has one.
struct RouterView: View {
    private let presenter: SwiftUIPresenter
    private let level: Int

    init(_ presenter: SwiftUIPresenter) { self.init(presenter, level: 0) }

    private init(_ presenter: SwiftUIPresenter, level: Int) {
        (self.presenter, self.level) = (presenter, level)
    }

    var body: some View {
        if let root = entries.first {
            NavigationStack(path: path) {
                root.view.id(root.id).navigationDestination(for: Presentation.ID.self) {
                    presenter.view(of: $0)
                }
            }
            .sheet(isPresented: hasSheet) { RouterView(presenter, level: level + 1) }
        }
    }

    private var entries: [SwiftUIPresenter.Entry] {
        _ = presenter.revision
        return presenter.levels.indices.contains(level) ? presenter.levels[level] : []
    }

    /// The path of the level; SwiftUI shortens it when the user goes back.
    private var path: Binding<[Presentation.ID]> {
        Binding { @MainActor in
            entries.dropFirst().map(\.id)
        } set: { @MainActor ids in
            if let left = entries.dropFirst().first(where: { !ids.contains($0.id) }) {
                presenter.leave(left.presentation)
            }
        }
    }

    /// Whether there is a sheet above this level, whose first screen may be replaced; SwiftUI clears it when the user swipes
    /// the sheet down.
    private var hasSheet: Binding<Bool> {
        Binding { @MainActor in
            _ = presenter.revision
            return presenter.levels.indices.contains(level + 1)
        } set: { @MainActor isPresented in
            if !isPresented, presenter.levels.indices.contains(level + 1) {
                presenter.levels[level + 1].first.map { presenter.leave($0.presentation) }
            }
        }
    }
}
