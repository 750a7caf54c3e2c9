import DisplayInterface
import RouterServiceInterface

/// Registers what the App itself provides: adapters between modules that know nothing of each other.
struct AppModule: Module {
    func register(in registrar: some Registrar) {
        registrar.register((any Display.Status).self, lifetime: .singleton, by: SignedInStatus.init)
    }
}
