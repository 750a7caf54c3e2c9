import Observation
import RouterServiceInterface
import RouterServiceProgram
import SwiftUI
import SwiftUIDisplayInterface

/// Holds the screens that a window shows: pushed ones on a path, and each modal one in a sheet with a path of its own.
@Observable
@MainActor
final class SwiftUIPresenter: Presenter, SwiftUIDisplay.Window {
    /// The window's path, and those of the sheets above it.
    private(set) var levels = [Level()]
    /// Changes where SwiftUI has to show again what a user left and stays on.
    private(set) var revision = 0

    init() {}

    var content: AnyView { AnyView(LevelView(presenter: self, level: levels[0])) }

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        let entry = try Entry(screen, presentation)
        switch presentation.style {
        case .modal where !presentation.isRoot: levels.append(Level(entry))
        case .push, .modal: levels[levels.count - 1].entries.append(entry)
        // The router removes all others next.
        case .root, .embedded: levels[0].entries.append(entry)
        }
    }

    func remove(_ presentations: [Presentation.ID]) {
        let removed = Set(presentations)
        let former = levels.map { ($0, $0.entries) }
        var left: [Level] = []
        for (level, entries) in former {
            let kept = entries.filter { !removed.contains($0.id) }
            // A sheet shows its screens until it has gone down.
            guard left.isEmpty || !kept.isEmpty else { continue }
            if kept.count < entries.count { level.entries = kept }
            left.append(level)
        }
        levels = left
        // Released after the change, because they may call the router then.
        withExtendedLifetime(former) {}
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        let new = try screens.mapValues { try Entry($0.screen, $0.presentation) }
        let former = levels.map(\.entries)
        for level in levels { level.entries = level.entries.map { new[$0.id] ?? $0 } }
        withExtendedLifetime(former) {}
    }

    /// The sheet above a level.
    func sheet(above level: Level) -> Level? {
        levels.firstIndex { $0 === level }.flatMap { levels.indices.contains($0 + 1) ? levels[$0 + 1] : nil }
    }

    /// Reports that the user leaves a screen; if the user stays, it is shown again.
    func leave(_ entry: Entry) {
        Task {
            await entry.presentation.close()
            if !entry.presentation.isEnded { revision += 1 }
        }
    }
}

/// The screens of the window or of a sheet, of which the first is the root of a path.
@Observable
@MainActor
final class Level: Identifiable {
    var entries: [Entry]

    init(_ entries: Entry...) { self.entries = entries }

    /// What is now shown in the place of an entry, or the entry itself while it goes.
    func current(_ entry: Entry) -> Entry { entries.first { $0 == entry } ?? entry }
}

/// A screen; equal to a new version of it, so that SwiftUI exchanges the view and nothing moves.
@MainActor
final class Entry: Hashable {
    nonisolated let id: Presentation.ID
    let view: AnyView
    let presentation: Presentation

    init(_ screen: any Screen, _ presentation: Presentation) throws {
        guard let screen = screen as? SwiftUIDisplay.ViewScreen else {
            throw RouterError.unknownScreen(
                TypeKey(type(of: screen)), presenter: TypeKey(SwiftUIPresenter.self))
        }
        id = presentation.id
        view = screen.view
        self.presentation = presentation
    }

    nonisolated static func == (one: Entry, other: Entry) -> Bool { one.id == other.id }

    nonisolated func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Shows the screens of a level, and the sheet above it.
private struct LevelView: View {
    let presenter: SwiftUIPresenter
    let level: Level

    var body: some View {
        let _ = presenter.revision
        if let root = level.entries.first {
            NavigationStack(path: path) {
                root.view.id(root.id).navigationDestination(for: Entry.self) { level.current($0).view }
            }
            .sheet(item: sheet) { LevelView(presenter: presenter, level: $0) }
        }
    }

    /// The path of the level; SwiftUI shortens it when the user goes back.
    private var path: Binding<[Entry]> {
        Binding { @MainActor in
            Array(level.entries.dropFirst())
        } set: { @MainActor path in
            level.entries.dropFirst().first { !path.contains($0) }.map(presenter.leave)
        }
    }

    /// The sheet above this level; SwiftUI clears it when the user swipes the sheet down.
    private var sheet: Binding<Level?> {
        let sheet = presenter.sheet(above: level)
        return Binding { @MainActor in
            presenter.sheet(above: level)
        } set: { @MainActor shown in
            if shown == nil { sheet?.entries.first.map(presenter.leave) }
        }
    }
}
