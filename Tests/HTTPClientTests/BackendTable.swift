import HTTPClientInterface
import RouterServiceInterface

/// Requests in order, each of which may rely on those before it, and the responses of a backend.
struct BackendTable: Sendable, CustomStringConvertible {
    enum Caller {
        case nobody, wrong, ann, bob
    }

    struct Row: Sendable {
        let caller: Caller
        let method: HTTP.Method
        let path: [String]
        let query: [String: String]
        let condition: HTTP.Condition?
        let body: String?
        let status: Int
        let response: String

        init(
            _ caller: Caller, _ method: HTTP.Method, _ path: [String], query: [String: String] = [:],
            if condition: HTTP.Condition? = nil, _ body: String?, _ status: Int, _ response: String = "",
            error: String? = nil
        ) {
            (self.caller, self.method, self.path, self.query) = (caller, method, path, query)
            (self.condition, self.body, self.status) = (condition, body, status)
            self.response = error.map { #"{"error":"\#($0)"}"# } ?? response
        }

        /// A row without a body.
        init(
            _ caller: Caller, _ method: HTTP.Method, _ path: [String], query: [String: String] = [:],
            if condition: HTTP.Condition? = nil, _ status: Int, _ response: String = "",
            error: String? = nil
        ) {
            self.init(
                caller, method, path, query: query, if: condition, nil, status, response, error: error)
        }
    }

    static let all = [users, notes, configuration]

    private static let configuration = BackendTable(
        description: "flags and rules",
        rows: [
            Row(.nobody, .get, ["configuration"], 200, #"{"flags":{},"rules":[]}"#),
            Row(
                .ann, .put, ["configuration"], "{}", 405, error: "This address does not support PUT."),
            Row(.ann, .get, ["configuration", "x"], 404, error: "There is nothing at this address."),
        ])

    let description: String
    let rows: [Row]
}
