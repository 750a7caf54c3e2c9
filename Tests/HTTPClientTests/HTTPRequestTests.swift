import Foundation
import HTTPClientInterface
import HTTPClientTesting
import RouterServiceInterface
import Testing

@testable import HTTPClientImplementation

/// The form of a request on the wire.
@Suite(.timeLimit(.minutes(5)))
struct HTTPRequestTests {
    @Test func get_sendsMethodPathTokenAndWhatItAccepts() async throws {
        let (response, requests) = try await exchange(
            HTTP.Request(.get, ["users", "ann"], token: "abc-1"), with: .response(200, #"{"id":"ann"}"#))
        #expect(try response.get().status == 200)
        #expect(String(decoding: try response.get().body, as: UTF8.self) == #"{"id":"ann"}"#)
        let request = try #require(requests.first)
        #expect(request.hasPrefix("GET /users/ann HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer abc-1\r\n"))
        #expect(request.contains("Accept: application/json\r\n"))
        #expect(!request.lowercased().contains("content-type"))
        #expect(!request.lowercased().contains("cookie"))
    }

    @Test(arguments: [HTTP.Method.put, .post]) func body_isSentAsJSON(method: HTTP.Method) async throws {
        let sent = HTTP.Request(method, ["x"], body: Data(#"{"a":1}"#.utf8))
        let requests = try await exchange(sent, with: .response(200)).requests
        let request = try #require(requests.first)
        #expect(request.hasPrefix("\(method.rawValue) /x HTTP/1.1\r\n"))
        #expect(request.contains("Content-Type: application/json\r\n"))
        #expect(request.hasSuffix("\r\n\r\n" + #"{"a":1}"#))
    }

    @Test func query_isSortedAndEncoded() async throws {
        let sent = HTTP.Request(.get, ["x"], query: ["limit": "2", "after": "a&b=c+d é"])
        let requests = try await exchange(sent, with: .response(200)).requests
        #expect(
            requests.first?.hasPrefix("GET /x?after=a%26b%3Dc%2Bd%20%C3%A9&limit=2 HTTP/1.1\r\n") == true)
    }

    @Test(
        arguments: [
            (nil, [] as Set), (.absent, ["If-None-Match: *"]), (.version("a-1"), [#"If-Match: "a-1""#]),
        ] as [(HTTP.Condition?, Set<String>)])
    func condition_isSentAsAHeader(condition: HTTP.Condition?, sent: Set<String>) async throws {
        let put = HTTP.Request(.put, ["x"], condition: condition)
        let requests = try await exchange(put, with: .response(200)).requests
        let headers = requests[0].components(separatedBy: "\r\n")
        #expect(Set(headers.filter { $0.hasPrefix("If-") }) == sent)
    }

    @Test func response_withoutBody_isEmpty() async throws {
        let (response, _) = try await exchange(
            HTTP.Request(.delete, ["x"]),
            with: [.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")])
        #expect(try response.get().status == 204)
        #expect(try response.get().body.isEmpty)
    }

    @Test func cookies_areNeitherKeptNorSent() async throws {
        let requests = try await ScriptedServer.run([.response(200, headers: "Set-Cookie: a=b\r\n")]) {
            server in
            let client = try URLSessionClient.forTests(server.baseURL)
            for _ in 1...2 { _ = try await client.send(HTTP.Request(.get, ["x"])) }
        }
        #expect(requests.count == 2)
        #expect(!requests.joined().lowercased().contains("cookie"))
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("a?b=c", "a%3Fb%3Dc"), ("a#b", "a%23b"), ("%2e%2e", "%252e%252e"),
        ("a b", "a%20b"),
        ("...", "..."), ("ä\r\nX: y", "%C3%A4%0D%0AX%3A%20y"), ("a\\..\\b", "a%5C..%5Cb"), ("a;b", "a%3Bb"),
    ])
    func component_whateverItHolds_staysOneComponent(component: String, sent: String) async throws {
        let requests = try await ScriptedServer.run([.response(200)]) { server in
            let client = try URLSessionClient.forTests(server.baseURL.appending(path: "api/"))
            _ = try await client.send(HTTP.Request(.get, ["users", component]))
        }
        #expect(requests.first?.hasPrefix("GET /api/users/\(sent) HTTP/1.1\r\n") == true)
    }

    @Test(arguments: ["", ".", ".."]) func component_thatURLsGiveAMeaningTo_isRefused(
        component: String
    ) throws {
        let address = try ServerAddress(#require(HTTP.Server("http://127.0.0.1:1")))
        #expect(throws: HTTP.Failure.invalidRequest(reason: "'\(component)' cannot be used in a path")) {
            try address.urlRequest(for: HTTP.Request(.get, ["users", component]))
        }
    }

    @Test(arguments: ["a\r\nX-Admin: 1", "", "a b", "ä"])
    func token_thatWouldBreakTheHeader_isRefusedAndNotPrinted(token: String) throws {
        let address = try ServerAddress(#require(HTTP.Server("http://127.0.0.1:1")))
        #expect(
            throws: HTTP.Failure.invalidRequest(reason: "the token holds characters that a header cannot")
        ) {
            try address.urlRequest(for: HTTP.Request(.get, ["x"], token: token))
        }
    }

    @Test(arguments: ["a\r\nX-Admin: 1", "a\"b", "a b", "ä"])
    func version_thatWouldBreakTheHeader_isRefused(version: String) throws {
        let address = try ServerAddress(#require(HTTP.Server("http://127.0.0.1:1")))
        #expect(
            throws: HTTP.Failure.invalidRequest(reason: "the version holds characters that a header cannot")
        ) {
            try address.urlRequest(for: HTTP.Request(.put, ["x"], condition: .version(version)))
        }
    }

    @Test(arguments: [
        "ftp://127.0.0.1", "localhost:8080", "http://", "http:///path", "file:///etc/hosts",
        "http://ann:secret@127.0.0.1", "http://:secret@127.0.0.1", "http://127.0.0.1:0",
        "http://127.0.0.1?a=b", "http://127.0.0.1#a",
    ])
    func address_thatIsNone_isNoServer(text: String) { #expect(HTTP.Server(text) == nil) }

    @Test func token_isInNoDescription() throws {
        let request = HTTP.Request(
            .put, ["x"], token: "t0ken", body: Data(#"{"password":"pass"}"#.utf8))
        let text = "\(request) \(String(reflecting: [request])) \(String(describing: [request]))"
        #expect(!text.contains("t0ken"))
        #expect(!text.contains("pass"))
        #expect("\(request)" == "PUT /x")
    }
}
