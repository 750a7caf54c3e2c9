import HomeInterface
public import RouterServiceInterface

/// Stands in for Home where another feature runs alone: the entries are shown nowhere.
public struct FakeHomeModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.action(Home.Overview.self, by: FakeOverview.init)
    }
}

private struct FakeOverview: Action { func perform(_ route: Home.Overview) {} }
