import Foundation
import HTTPClientInterface
import HTTPClientTesting
import LoginInterface
import LoginTesting
import ProfileInterface
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import ProfileImplementation

@MainActor
struct ServerProfilesTests {
    private let client = FakeHTTPClient()
    private let sessions = FakeSessions(user: "ann")
    private let service: ServerProfiles

    init() {
        let routes = KnownRoutes([Profile.Overview.self, Profile.Editor.self])
        service = ServerProfiles(client: client, sessions: sessions, routes: routes)
    }

    @Test func user_isReadWithTheTokenAndItsLinksBecomeRoutes() async throws {
        client.respond(.get, "users/ann", status: 200, json: ann)
        let user = try await service.user("ann")
        #expect(user.displayName == "Ann Example")
        #expect(
            user.links.map(\.route) == [
                AnyRoute(Profile.Overview(user: "bob")), AnyRoute(Profile.Editor(user: "ann")), nil,
            ])
        #expect(user.links.map(\.title) == ["Profile of bob", "Edit", "Badges"])
        #expect(client.requests.map(\.token) == ["token of ann"])
    }

    @Test func rename_sendsTheNameAndIsKnownFromThenOn() async throws {
        client.respond(.put, "users/ann", status: 200, json: #"{"id":"ann","displayName":"Anna","links":[]}"#)
        #expect(service.known("ann") == nil)
        _ = try await service.rename("ann", to: "Anna")
        #expect(service.known("ann")?.displayName == "Anna")
        let body = try #require(client.requests.first?.body)
        #expect(try JSONDecoder().decode([String: String].self, from: body) == ["displayName": "Anna"])
    }

    @Test func undecodableResponse_namesThePathOfTheBadKey() async throws {
        client.respond(
            .get, "users/ann", status: 200,
            json: #"{"id":"ann","displayName":"A","links":[{"title":"a","link":"b"},{"title":"c","link":5}]}"#
        )
        await #expect { try await service.user("ann") } throws: { error in
            guard case HTTP.Failure.undecodable(_, let path, _) = error else { return false }
            return path == "links[1].link"
        }
    }

    @Test(arguments: [HTTP.Method.get, .put])
    func profileOfAnotherUser_isAnError_andIsNotKept(method: HTTP.Method) async throws {
        client.respond(method, "users/ann", json: #"{"id":"bob","displayName":"Bob","links":[]}"#)
        await #expect {
            if method == .get {
                _ = try await service.user("ann")
            } else {
                _ = try await service.rename("ann", to: "Anna")
            }
        } throws: {
            $0.localizedDescription
                == "The server sent the profile of 'bob' instead of 'ann'. Try again later."
        }
        #expect(service.known("ann") == nil)
        #expect(service.known("bob") == nil)
    }

    @Test func endedSession_isForgotten() async throws {
        client.fail(.get, "users/ann", with: .status(401, body: ""))
        await #expect(throws: HTTP.Failure.self) { try await service.user("ann") }
        #expect(sessions.current == nil)
    }

    @Test func whatOneUserRead_isNotKnownToTheNext() async throws {
        client.respond(.get, "users/ann", status: 200, json: ann)
        _ = try await service.user("ann")
        #expect(service.known("ann") != nil)
        _ = try await sessions.signIn(userName: "bob", password: "secret")
        #expect(service.known("ann") == nil)
    }

    private let ann = """
        {"id": "ann", "displayName": "Ann Example",
         "links": [{"title": "Profile of bob", "link": "profile.overview|{\\"user\\":\\"bob\\"}"},
                   {"title": "Edit", "link": "profile.editor|{\\"user\\":\\"ann\\"}"},
                   {"title": "Badges", "link": "badges.list|{}"}]}
        """
}
