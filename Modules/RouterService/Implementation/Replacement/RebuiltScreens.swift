import RouterServiceInterface
import RouterServiceProgram

extension NavigationStack {
    /// Rebuilds the screens of some entries, all or none; the calls of the present screens are rejected from the first moment.
    func rebuild(_ affected: [StackEntry], in container: Container) throws {
        let former = affected.map { entry in
            let context = entry.shown.context.successor()
            return exchange(&entry.shown, with: ShownScreen(context: context, isTentative: true))
        }
        changes += 1
        var replacements: [Presentation.ID: (screen: any Screen, presentation: Presentation)] = [:]
        do {
            let built = try affected.map { ($0, try $0.shown.context.screen(in: container)) }
            // Building one screen may have removed another.
            for (entry, screen) in built where entry.position != nil {
                replacements[entry.id] = (screen, presentation(of: entry))
            }
            try presenter?.replace(replacements)
        } catch {
            for (entry, screen) in zip(affected, former) { _ = exchange(&entry.shown, with: screen) }
            changes += 1
            replacements.values.forEach { $0.presentation.end() }
            release(affected.filter { $0.position == nil }.flatMap { $0.withChildren.dropFirst() }.reversed())
            throw error
        }
        for entry in affected { entry.shown.isTentative = false }
        former.forEach { $0.context.presentation?.end() }
        release(former.flatMap(\.children).flatMap(\.withChildren).reversed())
    }
}

extension ScreenContext {
    func successor() -> any AnyScreenContext {
        let context = ScreenContext(route, state: state(including: .memory), reference: reference)
        context.entry = entry
        context.isFinished = isFinished
        return context
    }

    func screen(in container: Container) throws -> any Screen {
        guard case .feature(let registration, _) = try container.registry.handler(of: R.self) else {
            throw RouterError.missingHandler(route: routeType)
        }
        return try container.create(registration, for: R.self, with: container).build(route, in: self)
    }
}
