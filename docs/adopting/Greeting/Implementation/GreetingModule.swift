import Foundation
import GreetingInterface
public import RouterServiceInterface

/// Registers the phrases; the screens are those of `GreetingSwiftUI` or `GreetingUIKit`.
public struct GreetingModule: Module {
    public init() {}

    /// Registers the phrases.
    public func register(in registrar: Registrar) {
        registrar.register((any Greeting.Phrases).self) { TimeOfDayPhrases() }
    }
}

/// Greets by the time of the day.
final class TimeOfDayPhrases: Greeting.Phrases {
    func phrase(for name: String) -> String {
        let hour = Calendar.current.component(.hour, from: .now)
        return hour < 12
            ? "Good morning, \(name)!" : hour < 18 ? "Good afternoon, \(name)!" : "Good evening, \(name)!"
    }
}
