public import RouterServiceInterface

/// An error of an exchange of modules, which changed nothing.
public enum ExchangeError: Error {
    /// A module that is not among the router's, or is there more than once.
    case unknownModule(TypeName)
    /// Modules that provide the presenter of the shown screens.
    case presenterInUse(modules: [TypeName])
    /// Modules with which the graph would have problems that it does not have now.
    case rejected([TypeName], problems: [GraphProblem])
}

extension ExchangeError: CustomStringConvertible {
    /// A description of the problem and the remedy.
    public var description: String {
        switch self {
        case .unknownModule(let module):
            "\(module.fullName) cannot be replaced: the router needs to have exactly one module of this name. List it "
                + "in the router's modules once."
        case .presenterInUse(let modules):
            "\(list(modules)) cannot be replaced while the presenter, or what it holds, comes from there. Restart the "
                + "program."
        case .rejected(let modules, let problems):
            "Nothing was replaced by the new \(list(modules)): \(problems.map(\.description).joined(separator: " "))"
        }
    }

    private func list(_ types: [TypeName]) -> String { types.map(\.description).joined(separator: ", ") }
}
