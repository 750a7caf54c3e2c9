import RouterServiceInterface

/// A module whose services depend on one another in one long chain, up to 10,000, each of a type of its own.
///
/// The types are made while the program runs, from ten digits in four places.
struct LongChain: Module {
    typealias First = Link<Zero, Zero, Zero, Zero>

    let count: Int
    var lifetime = Lifetime.singleton
    /// Whether the last service has to be prepared.
    var endsAsynchronously = false

    func register(in registrar: Registrar) {
        for number in 0..<count {
            let (this, next) = (digits(of: number), digits(of: number + 1))
            register(
                this[0], this[1], this[2], this[3], next[0], next[1], next[2], next[3],
                isLast: number + 1 == count,
                in: registrar)
        }
    }

    private func digits(of number: Int) -> [any Digit.Type] {
        let digits: [any Digit.Type] = [
            Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self, Eight.self,
            Nine.self,
        ]
        return [number / 1000, number / 100, number / 10, number].map { digits[$0 % 10] }
    }

    @MainActor
    private func register<A: Digit, B: Digit, C: Digit, D: Digit, E: Digit, F: Digit, G: Digit, H: Digit>(
        _: A.Type, _: B.Type, _: C.Type, _: D.Type, _: E.Type, _: F.Type, _: G.Type, _: H.Type, isLast: Bool,
        in registrar: Registrar
    ) {
        typealias This = Link<A, B, C, D>
        if !isLast {
            registrar.register(This.self, lifetime: lifetime) { (next: Link<E, F, G, H>) in This(next) }
        } else if endsAsynchronously {
            registrar.prepare(This.self) { () async in This(nil) }
        } else {
            registrar.register(This.self, lifetime: lifetime) { This(nil) }
        }
    }

    final class Link<A: Digit, B: Digit, C: Digit, D: Digit>: Sendable {
        let next: (any AnyObject & Sendable)?
        init(_ next: (any AnyObject & Sendable)?) { self.next = next }
    }

    protocol Digit: Sendable {}
    enum Zero: Digit {}
    enum One: Digit {}
    enum Two: Digit {}
    enum Three: Digit {}
    enum Four: Digit {}
    enum Five: Digit {}
    enum Six: Digit {}
    enum Seven: Digit {}
    enum Eight: Digit {}
    enum Nine: Digit {}
}
