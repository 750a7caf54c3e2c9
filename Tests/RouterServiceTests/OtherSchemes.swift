import Foundation

// Other schemes in miniature, each with the one property that docs/Compare.md describes.

/// URL routing: paths lead to closures, and parameters are text.
struct URLTable {
    private var handlers: [String: ([String: String]) -> String?] = [:]

    mutating func register(_ host: String, handler: @escaping ([String: String]) -> String?) {
        handlers[host] = handler
    }

    func open(_ url: String) -> String? {
        guard let parts = URLComponents(string: url), let handler = handlers[parts.host ?? ""] else {
            return nil
        }
        let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return handler(Dictionary(items) { first, _ in first })
    }
}

/// Target-action: targets, actions and parameters have names.
struct NamedTargets {
    private var targets: [String: [String: ([String: Any]) -> Any?]] = [:]

    mutating func register(_ target: String, _ action: String, perform: @escaping ([String: Any]) -> Any?) {
        targets[target, default: [:]][action] = perform
    }

    func perform(_ target: String, _ action: String, _ parameters: [String: Any]) -> Any? {
        targets[target]?[action]?(parameters)
    }
}

/// A protocol registry whose keys are the names of types.
struct NamedRegistry {
    private var factories: [String: () -> Any] = [:]

    mutating func register<Service>(_ type: Service.Type, by factory: @escaping () -> Any) {
        factories[String(describing: type)] = factory
    }

    func resolve<Service>(_ type: Service.Type) -> Service? {
        factories[String(describing: type)]?() as? Service
    }
}

/// A dependency that a registry fills in after the feature was created, found by reflection.
final class ReflectedDependency<Service>: ReflectedInjecting {
    private(set) var value: Service?

    func resolve(from registry: NamedRegistry) -> String? {
        value = registry.resolve(Service.self)
        return value == nil ? String(describing: Service.self) : nil
    }
}

protocol ReflectedInjecting {
    /// Fills the dependency in; returns the missing one.
    func resolve(from registry: NamedRegistry) -> String?
}

extension NamedRegistry {
    /// Fills in a feature's dependencies; returns the missing ones.
    func inject(into feature: Any) -> [String] {
        Mirror(reflecting: feature).children.compactMap {
            ($0.value as? any ReflectedInjecting)?.resolve(from: self)
        }
    }
}
