import FeatureFlagsInterface
import Foundation
import HTTPClientInterface
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import FeatureFlagsImplementation

struct ConfigurationTests {
    @Test func everythingValid_isTaken() throws {
        let configuration = try read(
            #"""
            {"flags": {"shop.discount": true, "shop.notice": "Sale"}, "later": [1], "rules": [
                {"route": "shop.basket", "redirect": "shop.product|{\"id\":1}"},
                {"route": "shop.product", "reject": "Sold out."}
            ]}
            """#)
        #expect(configuration.flags == ["shop.discount": .bool(true), "shop.notice": .text("Sale")])
        #expect(configuration.rules["shop.basket"]?.text == #"shop.product|{"id":1}"#)
        #expect(configuration.rules["shop.product"]?.text == "Sold out.")
        #expect(configuration.problems.isEmpty)
    }

    @Test func flagsAndRoutes_areFound_howeverTheServerWritesTheirNames() throws {
        let configuration = try read(
            #"""
            {"flags": {"shop.cafe\u0301": true}, "rules": [
                {"route": "shop.the\#u{301}", "reject": "E\u0301puise\u0301."}
            ]}
            """#)
        #expect(configuration.flags == ["shop.caf\u{E9}": .bool(true)])
        let rejection = try #require(configuration.rules["shop.th\u{E9}"]?.text)
        #expect(Array(rejection.unicodeScalars) == Array("\u{C9}puis\u{E9}.".unicodeScalars))
    }

    @Test(arguments: ["{}", #"{"flags": null}"#, #"{"flags": {}, "rules": []}"#])
    func configurationOfNothing_decidesNothing(json: String) throws {
        let configuration = try read(json)
        #expect(configuration.flags.isEmpty)
        #expect(configuration.rules.isEmpty)
        #expect(configuration.problems.isEmpty)
    }

    @Test(arguments: ["1", "null", #"{"on": true}"#])
    func badFlag_isIgnored_andCostsNoOther(value: String) throws {
        let configuration = try read(#"{"flags": {"shop.discount": \#(value), "shop.notice": "Sale"}}"#)
        #expect(configuration.flags == ["shop.notice": .text("Sale")])
        #expect(configuration.problems.count == 1)
        #expect(configuration.problems[0].contains("at 'flags.shop.discount', "))
    }

    @Test(arguments: [
        #"{"route": "shop.offers", "redirect": "shop.nothing|{}"}"#:
            "at 'rules[0].redirect', No route has the identifier 'shop.nothing'.",
        #"{"route": "shop.offers", "redirect": "shop.product|{}"}"#:
            "at 'rules[0].redirect.id', the key is missing.",
        #"{"route": "shop.offers", "redirect": "shop.product|{"}"#: nil,
        #"{"route": "shop.offers", "redirect": 7}"#: nil,
        #"{"route": "shop.offers", "reject": ["No."]}"#: nil,
        #"{"route": 7, "reject": "No."}"#: nil,
        #"{"reject": "No."}"#: "at 'rules[0].route', the key is missing.",
        #"{"route": "shop.offers"}"#: "a rule needs either 'redirect' or 'reject'.",
        #"{"route": "shop.offers", "redirect": "shop.basket|{}", "reject": "No."}"#:
            "a rule needs either 'redirect' or 'reject'.",
        "[]": nil, "7": nil, "null": nil,
    ])
    func badRule_isIgnored_andCostsNoOther(rule: String, problem: String?) throws {
        let configuration = try read(#"{"rules": [\#(rule), {"route": "shop.basket", "reject": "No."}]}"#)
        #expect(Array(configuration.rules.keys) == ["shop.basket"])
        #expect(configuration.problems.count == 1)
        #expect(configuration.problems[0].hasPrefix("The server's response is not a Rule: at 'rules[0]"))
        #expect(configuration.problems[0].contains(problem ?? "at 'rules[0]"))
    }

    @Test(arguments: [
        "", "null", "7", "[]", "{", #"{"flags": []}"#, #"{"rules": {}}"#,
        String(repeating: "[", count: 60_000), String(repeating: " ", count: 64 << 10) + "{}",
    ])
    func whatIsNoConfiguration_isAnError(json: String) {
        #expect(throws: HTTP.Failure.self) { try read(json) }
    }

    private func read(_ json: String) throws -> Configuration {
        try Configuration(Data(json.utf8), routes: Shop.routes)
    }
}

extension Interception {
    /// The route of a redirect, and the words of a rejection.
    var text: String? {
        switch self {
        case .proceed: nil
        case .redirect(let route): "\(AnyRoute(route))"
        case .reject(let error): error.localizedDescription
        }
    }
}
