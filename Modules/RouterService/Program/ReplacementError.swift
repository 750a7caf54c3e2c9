public import RouterServiceInterface

/// An error of the replacement of modules, which changed nothing.
public enum ReplacementError: Error {
    /// A module that the router does not have, or has more than once.
    case unknownModule(TypeKey)
    /// Modules that provide the presenter of the shown screens.
    case presenterInUse(modules: [TypeKey])
    /// A replacement or a start that would wait for itself, because a service that is being prepared awaits it.
    case withinPreparation
    /// Modules with which the graph would have problems that it does not have now.
    case rejected([TypeKey], problems: [GraphProblem])
}

extension ReplacementError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownModule(let module):
            "\(module.fullName) cannot be replaced: the router needs to have exactly one module of this name. List it "
                + "in the router's modules once."
        case .presenterInUse(let modules):
            "\(list(modules)) cannot be replaced while the presenter, or what it holds, comes from there. Restart the "
                + "program."
        case .withinPreparation:
            "A service that is being prepared cannot wait for the replacement of a module or for the start, because both "
                + "wait for the service. Replace or start when the service is there."
        case .rejected(let modules, let problems):
            "Nothing was replaced by the new \(list(modules)): \(problems.map(\.description).joined(separator: " "))"
        }
    }

    private func list(_ types: [TypeKey]) -> String { types.map(\.description).joined(separator: ", ") }
}
