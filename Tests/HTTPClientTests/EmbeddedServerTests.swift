import Foundation
import HTTPClientInterface
import StorageInterface
import StorageTesting
import Testing

@testable import HTTPClientEmbedded

/// The served backend on the wire: status codes, fields, connections, and what it does about clients that do not behave.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct EmbeddedServerTests {
    private let note = "/notes/C56A4180-65AA-42EC-A945-5FD21DEC0538"
    private let draft = #"{"title":"A","text":"a"}"#

    @Test func note_isDeletedWithItsVersionAsATag() async throws {
        try await serve { url in
            let ann = try await signIn(url)
            let saved = try await exchange(url, "PUT \(note)", ann + ["If-None-Match: *"], draft)
            #expect(saved.hasPrefix("HTTP/1.1 201 \r\n"))
            #expect(saved.contains(#""version":"1""#))
            let other = #"{"title":"B","text":"a"}"#
            let conflict = try await exchange(url, "PUT \(note)", ann + ["If-None-Match: *"], other)
            #expect(conflict.hasPrefix("HTTP/1.1 412 \r\n"))
            #expect(conflict.contains(#""version":"1""#))
            // Without its quotes, or weak, it is no tag for a condition.
            for tag in ["1", "W/\"1\"", "\"1\", \"2\"", "*"] {
                let refused = try await exchange(url, "DELETE \(note)", ann + ["If-Match: \(tag)"])
                #expect(refused.hasPrefix("HTTP/1.1 412 \r\n"), "\(tag)")
            }
            let deleted = try await exchange(url, "DELETE \(note)", ann + ["If-Match: \"1\""])
            #expect(deleted == "HTTP/1.1 204 \r\nConnection: close\r\n\r\n")
        }
    }

    @Test(arguments: [
        ("GET /notes", "401", "WWW-Authenticate: Bearer"), ("POST /notes", "405", "Allow: GET, HEAD"),
        ("POST \("/notes/1")", "405", "Allow: DELETE, PUT"),
        ("PATCH /session", "405", "Allow: DELETE, POST"),
        ("BREW /configuration", "405", "Allow: GET, HEAD"),
        ("POST /users/ann", "405", "Allow: GET, HEAD, PUT"),
        ("BREW /coffee", "404", "Content-Length: 45"),
        ("GET /configuration/", "404", ""), ("GET /notes%2F1", "404", ""), ("GET /users/", "404", ""),
        ("GET /users/%C3%A4", "401", ""), ("GET /", "404", ""),
    ])
    func status_hasTheFieldsThatExplainIt(start: String, status: String, field: String) async throws {
        try await serve { url in
            let response = try await exchange(url, start)
            #expect(response.hasPrefix("HTTP/1.1 \(status) \r\n"))
            #expect(response.contains("\r\nContent-Type: application/json\r\n"))
            #expect(field.isEmpty || response.contains("\r\n\(field)\r\n"), "\(response)")
        }
    }

    @Test func textOfARequest_isNormalised() async throws {
        try await serve { url in
            let ann = try await signIn(url)
            let unknown = try await exchange(url, "GET /users/Rene%CC%81", ann)
            #expect(unknown.utf8.firstRange(of: "There is no user 'Ren\u{E9}'.".utf8) != nil)
            let renamed = try await exchange(url, "PUT /users/ann", ann, #"{"displayName":"Rene\u0301"}"#)
            #expect(renamed.utf8.firstRange(of: #""displayName":"Ren\#u{E9}""#.utf8) != nil)
        }
    }

    @Test(arguments: [
        ("Host: localhost", "200"), ("Host: LocalHost:80", "200"), ("host:127.0.0.1:8080", "200"),
        ("Host: [::1]:1", "200"), ("Host: localhost:8080\r\nOrigin: http://localhost:8080", "200"),
        ("A: b", "400"), ("Host: localhost\r\nHost: localhost", "400"), ("Host: localhost, localhost", "400"),
        ("Host: pages.example:8080", "421"), ("Host: localhost.pages.example", "421"), ("Host: ", "421"),
        ("Host: 127.0.0.1.pages.example", "421"), ("Host: pages@localhost", "421"),
        ("Host: 127.0.0.2", "421"),
        ("Host: localhost:8080\r\nOrigin: https://pages.example", "403"),
        ("Host: localhost:8080\r\nOrigin: http://localhost:3000", "403"),
        ("Host: localhost\r\nOrigin: https://localhost", "403"), ("Host: localhost\r\nOrigin: null", "403"),
        ("Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://pages.example", "403"),
    ])
    func request_isForThisComputer_andFromNoOtherSite(fields: String, status: String) async throws {
        try await serve { url in
            let connection = try RawConnection(url)
            try connection.send("GET /configuration HTTP/1.1\r\n\(fields)\r\n\r\n")
            #expect(try await connection.response().hasPrefix("HTTP/1.1 \(status) \r\n"))
        }
    }

    @Test func head_isTheHeadOfGet() async throws {
        try await serve { url in
            for path in ["/configuration", "/notes", "/coffee"] {
                let get = try await exchange(url, "GET \(path)").components(separatedBy: "\r\n\r\n")
                #expect(try await exchange(url, "HEAD \(path)") == get[0] + "\r\n\r\n")
            }
            // What cannot be read with GET has no head.
            let session = try await exchange(url, "HEAD /session")
            #expect(session.hasPrefix("HTTP/1.1 405 \r\nAllow: DELETE, POST\r\n"))
            #expect(session.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [
        ("\r\nGET /configuration", "200"), ("\r\n\r\nGET /configuration", "200"),
        ("GET http://127.0.0.1:8080/configuration", "200"), ("GET HTTP://localhost", "404"),
        ("GET http://localhost/configuration?a=/b", "200"), ("GET http://localhost?a", "404"),
        ("GET http://pages.example/configuration", "421"), ("GET http:///configuration", "421"),
        ("GET https://localhost/configuration", "400"),
    ])
    func target_inAnyFormOfHTTP_isServed(start: String, status: String) async throws {
        try await serve { url in
            for piece in [Int.max, 1] {
                let connection = try RawConnection(url)
                try connection.send("\(start) HTTP/1.1\r\nHost: localhost\r\n\r\n", piece: piece)
                #expect(try await connection.response().hasPrefix("HTTP/1.1 \(status) \r\n"))
            }
        }
    }

    @Test(arguments: [
        ("", ""), ("GET", "400"), ("GET /notes", "400"), ("GET  /notes HTTP/1.1", "400"),
        ("GET /notes HTTP/2", "400"), ("GET notes HTTP/1.1", "400"), ("G@T /notes HTTP/1.1", "400"),
        ("GET /notes/%zz HTTP/1.1", "400"),
        ("GET /notes/%ff HTTP/1.1", "400"), ("GET /notes?a=%zz HTTP/1.1", "400"),
        ("GET /notes HTTP/1.1\r\nHost", "400"), ("GET /notes HTTP/1.1\r\n: x", "400"),
        ("GET /notes HTTP/1.1\r\nHost : x", "400"), ("GET /notes HTTP/1.1\r\nA: x\r\n y", "400"),
        ("GET /notes HTTP/1.1\r\nA: x\ny", "400"), ("GET /notes HTTP/1.1\r\nA: \u{0}", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: x", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: -1", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: +1", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: \u{A0}1", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: \u{FF11}", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: ", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3", "400"),
        ("PUT /notes/1 HTTP/1.1\r\nTransfer-Encoding: chunked", "411"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: 1048576", "413"),
        ("PUT /notes/1 HTTP/1.1\r\nContent-Length: 99999999999999999999", "413"),
        ("GET /notes HTTP/1.1\r\nA: \(String(repeating: "x", count: 70_000))", "431"),
        (String(repeating: "x", count: 2_000_000), "431"),
    ])
    func requestThatIsNone_isRejected_andTheNextClientIsServed(head: String, status: String) async throws {
        try await serve(patience: .seconds(10)) { url in
            let connection = try RawConnection(url)
            try? connection.send(head.isEmpty ? "" : head + "\r\nHost: localhost\r\n\r\n")
            if head.isEmpty {
                try connection.close()
            } else {
                let response = try await connection.response()
                #expect(response.hasPrefix("HTTP/1.1 \(status) \r\nConnection: close\r\n"), "\(response)")
                #expect(response.hasSuffix(#"."}"#))
            }
            #expect(try await exchange(url, "GET /configuration").hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// Closing the connection at once would take the response from the client.
    @Test func clientThatStillSends_whenItsRequestIsRejected_getsTheResponse() async throws {
        try await serve { url in
            let connection = try RawConnection(url)
            try connection.send("PUT /notes/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n")
            for _ in 1...4 {
                try await Task.sleep(for: .milliseconds(50))
                try connection.send(String(repeating: "x", count: 500_000))
            }
            #expect(try await connection.response().hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func connection_servesOneRequest_howeverItArrives() async throws {
        try await serve { url in
            let body = #"{"user":"ann","password":"secret"}"#
            let fields = "Host: localhost\r\nContent-Length: \(body.utf8.count)"
            let request = "POST /session HTTP/1.1\r\n\(fields)\r\n\r\n\(body)"
            for (text, piece) in [(request, Int.max), (request, 1), (request + request, Int.max)] {
                let connection = try RawConnection(url)
                try connection.send(text, piece: piece)
                let response = try await connection.response()
                #expect(response.hasPrefix("HTTP/1.1 200 \r\nConnection: close\r\n"))
                #expect(response.components(separatedBy: "HTTP/1.1 ").count == 2)
            }
        }
    }

    @Test(arguments: [
        ("", ""), ("GET /notes HTT", "HTTP/1.1 408 "),
        ("PUT /notes/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", "HTTP/1.1 408 "),
    ])
    func clientThatSaysNoMore_isNotWaitedForAnyLonger(text: String, start: String) async throws {
        try await serve(patience: .milliseconds(300)) { url in
            let connection = try RawConnection(url)
            try connection.send(text)
            let response = try await connection.response()
            #expect(start.isEmpty ? response.isEmpty : response.hasPrefix(start))
        }
    }

    /// A limit for the whole request: each byte alone comes in time.
    @Test func clientThatDripsBytes_isNotWaitedForAnyLonger() async throws {
        try await serve(patience: .seconds(5)) { url in
            let connection = try RawConnection(url)
            let dripping = Task {
                while true {
                    try connection.send("x")
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(try await connection.response().hasPrefix("HTTP/1.1 408 "))
            dripping.cancel()
        }
    }

    @Test func clientThatDoesNotRead_isNotWaitedForAnyLonger() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
        let server = try LoopbackServer()
        server.serve { ended.yield($0.send(Data(count: 64 << 20), until: .now + .milliseconds(300))) }
        let connection = try RawConnection(#require(URL(string: "http://127.0.0.1:\(server.port)")))
        for await wasRead in ends {
            #expect(!wasRead)
            break
        }
        try connection.close()
    }

    /// With a patience beyond the time limit of this test.
    @Test(arguments: ["", "GET ", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"])
    func clientsThatSendNothing_orHalfARequest_orDoNotHangUp_keepNobodyOut(text: String) async throws {
        try await serve(patience: .seconds(3_600)) { url in
            let start = ContinuousClock.now
            let idle = try (1...LoopbackServer.maximumConnections).map { _ in try RawConnection(url) }
            for each in idle { try each.send(text) }
            #expect(try await exchange(url, "GET /configuration").hasPrefix("HTTP/1.1 200 "))
            #expect(ContinuousClock.now - start >= .seconds(0.9), "the number of connections is limited")
            for each in idle { try each.close() }
        }
    }

    @Test func oneOfTwoSavesOfAVersion_succeeds() async throws {
        try await serve { url in
            let ann = try await signIn(url)
            _ = try await exchange(url, "PUT \(note)", ann + ["If-None-Match: *"], draft)
            for version in 1...10 {
                let fields = ann + ["If-Match: \"\(version)\""]
                func save(_ text: String) async throws -> Substring {
                    try await exchange(
                        url, "PUT \(note)", fields, #"{"title":"\#(text)","text":"\#(version)"}"#
                    )
                    .prefix(12)
                }
                async let (first, second) = (save("first"), save("second"))
                #expect(try await Set([first, second]) == ["HTTP/1.1 200", "HTTP/1.1 412"])
            }
        }
    }

    @Test func storeThatFails_isA503InStoragesWords_andTheServerKeepsRunning() async throws {
        let stores = FakeStores()
        try await serve(EmbeddedClient(stores: stores, drawVersion: counting())) { url in
            let ann = try await signIn(url)
            let failure = Storage.Failure.notSaved(path: "server", reason: "No space left on device")
            stores[EmbeddedClient.storeName].failure = failure
            let response = try await exchange(url, "PUT \(note)", ann + ["If-None-Match: *"], draft)
            #expect(response.hasPrefix("HTTP/1.1 503 "))
            #expect(response.contains(failure.localizedDescription))
            stores[EmbeddedClient.storeName].failure = nil
            let saved = try await exchange(url, "PUT \(note)", ann + ["If-None-Match: *"], draft)
            #expect(saved.hasPrefix("HTTP/1.1 201 "))
        }
    }

    @Test func configuration_isTheFileAsItIsNow() async throws {
        let file = FileManager.default.temporaryDirectory.appending(component: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"flags": {"a": true}}"#.utf8).write(to: file)
        let configuration = EmbeddedConfiguration(file: file.path)
        try await serve(EmbeddedClient(stores: FakeStores(), configuration: configuration)) { url in
            let first = try await exchange(url, "GET /configuration")
            #expect(first.hasPrefix("HTTP/1.1 200 "))
            #expect(first.hasSuffix("\r\n\r\n{\"flags\": {\"a\": true}}"))
            try Data("no JSON".utf8).write(to: file)
            let other = try await exchange(url, "GET /configuration")
            #expect(other.hasPrefix("HTTP/1.1 200 "))
            #expect(other.hasSuffix("\r\n\r\nno JSON"))
            try FileManager.default.removeItem(at: file)
            let gone = try await exchange(url, "GET /configuration")
            #expect(gone.hasPrefix("HTTP/1.1 503 "))
            #expect(gone.contains(#"{"error":"The configuration in \#(file.path)"#))
        }
    }

    @Test func tokens_cannotBeGuessed_andAreComparedWhole() async throws {
        try await serve { url in
            let tokens = try await [signIn(url), signIn(url)].map {
                $0[0].dropFirst("Authorization: Bearer ".count)
            }
            #expect(tokens.allSatisfy { $0.count > 48 })
            #expect(tokens[0] != tokens[1])
            for wrong in [tokens[0].dropLast(), tokens[0] + "0", tokens[0].dropLast() + "x", ""] {
                let response = try await exchange(url, "GET /notes", ["Authorization: Bearer \(wrong)"])
                #expect(response.hasPrefix("HTTP/1.1 401 "))
            }
            // The scheme has no case (RFC 9110, section 11.1).
            let response = try await exchange(url, "GET /notes", ["authorization:bearer  \(tokens[1])"])
            #expect(response.hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// Sends a request over a connection of its own, and returns the response as it arrives.
    private func exchange(
        _ url: URL, _ start: String, _ fields: [String] = [], _ body: String = ""
    ) async throws -> String {
        let connection = try RawConnection(url)
        let lines = ["Host: 127.0.0.1:\(url.port ?? 0)", "Content-Length: \(body.utf8.count)"] + fields
        try connection.send("\(start) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n\(body)")
        return try await connection.response()
    }

    /// Signs ann in, and returns the field with her token.
    private func signIn(_ url: URL) async throws -> [String] {
        let response = try await exchange(url, "POST /session", [], #"{"user":"ann","password":"secret"}"#)
        let token = try #require(response.firstMatch(of: /"token": ?"([^"]+)"/)).1
        return ["Authorization: Bearer \(token)"]
    }
}
