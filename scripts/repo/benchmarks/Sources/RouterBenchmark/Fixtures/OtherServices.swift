import RouterServiceInterface

/// Registers a number of other services, up to 10,000, each under a type of its own.
///
/// The types are made while the program runs, from ten digits in four places. Their names do not matter: they
/// only fill the router, to show whether what others cost grows with them.
struct OtherServices: Module {
    let count: Int

    func register(in registrar: Registrar) {
        for number in 0..<count {
            let digits = [number / 1000, number / 100, number / 10, number].map { Self.digits[$0 % 10] }
            register(digits[0], digits[1], digits[2], digits[3], in: registrar)
        }
    }

    @MainActor
    private func register<A: Digit, B: Digit, C: Digit, D: Digit>(
        _: A.Type, _: B.Type, _: C.Type, _: D.Type, in registrar: Registrar
    ) {
        registrar.register(NumberedService<A, B, C, D>.self, by: NumberedService<A, B, C, D>.init)
    }

    private static let digits: [any Digit.Type] = [
        Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self, Eight.self,
        Nine.self,
    ]
}

private final class NumberedService<A: Digit, B: Digit, C: Digit, D: Digit> {}

private protocol Digit: Sendable {}
private enum Zero: Digit {}
private enum One: Digit {}
private enum Two: Digit {}
private enum Three: Digit {}
private enum Four: Digit {}
private enum Five: Digit {}
private enum Six: Digit {}
private enum Seven: Digit {}
private enum Eight: Digit {}
private enum Nine: Digit {}
