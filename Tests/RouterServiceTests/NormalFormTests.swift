import Foundation
import RouterServiceInterface
import Testing

@testable import RouterServiceImplementation

private let composed = "Ren\u{E9}"
private let decomposed = "Rene\u{301}"

/// Text has one form once it has entered by a link or by JSON.
@MainActor
struct NormalFormTests {
    private struct User: Route {
        static let identifier = "test.us\u{E9}r"
        let name: String
    }

    private struct Other: Route {
        static let identifier = "test.use\u{301}r"
    }

    private let catalog = CurrentAddresses([
        .init(User.self, urls: ["app://shop/us\u{E9}rs/:name", "app://users?name"])
    ])

    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    @Test(arguments: [
        #"{"Rene\#u{301}":["e\#u{301}","a"]}"#: #"{"Ren\#u{E9}":["\#u{E9}","a"]}"#,
        #""Rene\u0301""#: "\"Ren\u{E9}\"",
        #""e\u0301\u0022\u0000""#: "\"\u{E9}\\\"\\u0000\"",
        #""\\u0301""#: #""\\u0301""#,
        #""\\\u0301""#: "\"\\\\\u{301}\"",
        #""\uD804\uDC99\ud804\udcba""#: "\"\u{1109A}\"",
        "\"\u{1D15E}\"": "\"\u{1D157}\u{1D165}\"",
        #""\ud800e\#u{301}""#: #""\ud800\#u{E9}""#,
        #"{"e\#u{301}"#: #"{"\#u{E9}"#, "\"Ren\u{E9}\\n\"": "\"Ren\u{E9}\\n\"",
        #"{"a":[1.10,"b"]}"#: #"{"a":[1.10,"b"]}"#,
        "": "",
    ])
    func json_isNormalisedOnce(json: String, expected: String) {
        let normalized = Data(json.utf8).normalizedJSON
        #expect(scalars(String(decoding: normalized, as: UTF8.self)) == scalars(expected))
        #expect(normalized.normalizedJSON == normalized)
    }

    @Test func bytesThatAreNoText_stay() {
        let bytes = Data([0x22, 0xFF, 0xCC, 0x81, 0x22])
        #expect(bytes.normalizedJSON == bytes)
    }

    @Test(arguments: [
        #"test.us\#u{E9}r|{"name":"\#(decomposed)"}"#, #"test.us\#u{E9}r|{"name":"Rene\u0301"}"#,
        #"test.use\#u{301}r|{"name":"\#(decomposed)"}"#,
    ])
    func textInALink_isNormalised(link: String) throws {
        let route = try AnyRoute(link, in: catalog).route as? User
        #expect(scalars(route?.name ?? "") == scalars(composed))
    }

    @Test(arguments: [
        "app://shop/us%C3%A9rs/Rene%CC%81", "app://shop/use%CC%81rs/Rene%CC%81",
        "app://users?name=Rene%CC%81",
        "app://users?name=Ren%C3%A9",
    ])
    func textInAURL_isNormalised(url: String) throws {
        let route = try catalog.route(for: #require(URL(string: url))).route as? User
        #expect(scalars(route?.name ?? "") == scalars(composed))
    }

    @Test func routesThatDifferOnlyByTheirNormalForm_areOne() {
        #expect(AnyRoute(User(name: composed)) == AnyRoute(User(name: decomposed)))
        #expect(Addresses([.init(User.self), .init(Other.self)]).problems.count == 1)
    }
}
