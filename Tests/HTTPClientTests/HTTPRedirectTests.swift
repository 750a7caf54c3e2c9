import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Testing

@testable import HTTPClientImplementation

/// The redirects that a client follows.
@Suite(.timeLimit(.minutes(5)))
struct HTTPRedirectTests {
    private let get = HTTP.Request(.get, ["x"], token: "t0ken")

    @Test func redirectOfAGet_withinTheServer_isFollowedWithTheToken() async throws {
        let scripts = [[ScriptedServer.Step].answer(302, headers: "Location: /y\r\n"), .answer(200, "here")]
        let requests = try await ScriptedServer.run(scripts) { server in
            let response = try await URLSessionClient.forTests(server.baseURL).send(get)
            #expect(String(decoding: response.body, as: UTF8.self) == "here")
        }
        #expect(requests.count == 2)
        #expect(requests.last?.hasPrefix("GET /y ") == true)
        #expect(requests.last?.contains("Authorization: Bearer t0ken\r\n") == true)
    }

    @Test(arguments: [301, 302, 307, 308])
    func redirectToAnotherServer_isNotFollowed(status: Int) async throws {
        let stolen = try await ScriptedServer.run([.answer(200)]) { other in
            let location = "Location: \(other.baseURL)/x\r\n"
            try await ScriptedServer.run([.answer(status, "moved", headers: location)]) { server in
                let failure = await failure(of: try .forTests(server.baseURL), get)
                #expect(failure == .status(status, body: "moved"))
            }
        }
        #expect(stolen.isEmpty)
    }

    @Test func redirectOfAPut_isNotFollowed() async throws {
        let requests = try await ScriptedServer.run([.answer(307, "moved", headers: "Location: /y\r\n")]) {
            server in
            let failure = await failure(of: try .forTests(server.baseURL), HTTP.Request(.put, ["x"]))
            #expect(failure == .status(307, body: "moved"))
        }
        #expect(requests.count == 1)
    }

    @Test func endlessRedirect_isFollowedFiveTimes_andNotTriedAgain() async throws {
        let requests = try await ScriptedServer.run([.answer(302, headers: "Location: /x\r\n")]) { server in
            let failure = await failure(of: try .forTests(server.baseURL), get)
            #expect(failure == .status(302, body: "{}"))
        }
        #expect(requests.count == 6)
    }
}
