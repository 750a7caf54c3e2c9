import Foundation

// Writes a file with 1,000 protocols, a class for each, and the module entry that registers them all. They are
// declared one by one, and not made from a generic type, because that is what a program of this size has: each
// type's metadata is looked up for the first time when it is registered, and the cold start pays for it.
// The 1,000 URL patterns of one route are written out because options are the arguments of one call.

let count = 1000

let declarations = (1...count).map { number in
    """
    protocol Service\(number): AnyObject {}
    final class LiveService\(number): Service\(number) {}
    """
}

let registrations = (1...count).map { number in
    "        registrar.register((any Service\(number)).self, by: LiveService\(number).init)"
}

let patterns = (1...count).map { number in
    "            .url(\"https://shop.example/shelf\(number)/:customer\"),"
}

let source = """
    import RouterServiceInterface

    \(declarations.joined(separator: "\n"))

    /// Registers the thousand services of this file.
    struct ThousandServices: Module {
        typealias Last = any Service\(count)

        func register(in registrar: Registrar) {
    \(registrations.joined(separator: "\n"))
        }
    }

    /// Registers the basket's route with a thousand patterns.
    struct ThousandPatterns: Module {
        static let count = \(count)

        func register(in registrar: Registrar) {
            registrar.route(
                Basket.self,
    \(patterns.joined(separator: "\n"))
                by: BasketFeature.init)
        }
    }

    """

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: ServiceGenerator FILE\n".utf8))
    exit(64)
}
try source.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
