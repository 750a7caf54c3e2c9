public import Foundation
import RouterServiceInterface

extension RouterService {
    /// Performs the route that a URL stands for and returns its output as JSON, for routes that opted in.
    ///
    /// A route opts in with ``RouterServiceInterface/RouteOption/remote``. Interceptors decide about it as about any
    /// other.
    ///
    /// - Returns: The output as UTF-8 JSON; `null` for `Void`.
    /// - Throws: `RouterError.notRemote` for other routes, `RouterError.unknownURL`, `DecodingError` for values that the
    ///   route cannot take, or what the route itself throws.
    public func output(of url: URL) async throws -> Data {
        try await encodedOutput(of: catalog.route(for: url).route)
    }

    private func encodedOutput<R: Route>(of route: R) async throws -> Data {
        guard let encode = try registry.handler(of: R.self).encode else {
            throw RouterError.notRemote(route: TypeName(R.self))
        }
        return try encode(await result(of: route, as: .modal, from: .url, by: .router))
    }
}
