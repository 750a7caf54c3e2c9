// Mistakes that the compiler accepts where routes, targets and parameters are text: all of them.

typealias Parameters = [String: Any]

protocol Mediator {
    func open(_ url: String)
    func perform(_ target: String, _ action: String, _ parameters: Parameters) -> Any?
}

func edit(with mediator: any Mediator) {
    mediator.open("app://notes/1")
    mediator.open("app://notes/one")
    mediator.open("app://noets/1")
    _ = mediator.perform("Notes", "edit", ["id": "one"])
    _ = mediator.perform("Noets", "edit", ["number": 1]) as? Double
}
