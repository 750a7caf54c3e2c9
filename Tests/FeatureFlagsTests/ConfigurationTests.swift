import FeatureFlagsInterface
import Foundation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import FeatureFlagsImplementation

struct ConfigurationTests {
    @Test func everythingValid_isTaken() throws {
        let configuration = try read(
            #"""
            {"flags": {"shop.discount": true, "shop.notice": "Sale"}, "rules": [
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
        let flag = FeatureFlags.Flag("shop.caf\u{E9}", default: false)
        let configuration = try Configuration(
            Data(
                #"""
                {"flags": {"shop.cafe\u0301": true}, "rules": [
                    {"route": "shop.the\#u{301}", "redirect": "shop.product|{\"id\":1}"},
                    {"route": "shop.th\#u{E9}", "reject": "E\u0301puise\u0301."}
                ]}
                """#.utf8), flags: [flag], exemptRoutes: [],
            routes: KnownRoutes([The.self, Shop.Product.self]))
        #expect(configuration.flags == ["shop.caf\u{E9}": .bool(true)])
        #expect(configuration.problems == ["Rule 2: It replaces another rule for 'shop.th\u{E9}'."])
        let rejection = try #require(configuration.rules[The.identifier]?.text)
        #expect(Array(rejection.unicodeScalars) == Array("\u{C9}puis\u{E9}.".unicodeScalars))
    }

    private struct The: Route {
        static let identifier = "shop.th\u{E9}"
    }

    @Test(arguments: ["{}", #"{"flags": null}"#, #"{"flags": {}, "rules": [], "later": [1]}"#])
    func configurationOfNothing_decidesNothing(json: String) throws {
        let configuration = try read(json)
        #expect(configuration.flags.isEmpty)
        #expect(configuration.rules.isEmpty)
        #expect(configuration.problems.isEmpty)
    }

    @Test(arguments: [
        #""shop.sale": true"#: "The flag 'shop.sale' is unknown.",
        #""shop.discount": "yes""#: "The value of the flag 'shop.discount' has the wrong type.",
        #""shop.discount": 1"#: "The value of the flag 'shop.discount' has the wrong type.",
        #""shop.discount": null"#: "The value of the flag 'shop.discount' has the wrong type.",
        #""shop.discount": {"on": true}"#: "The value of the flag 'shop.discount' has the wrong type.",
    ])
    func badFlag_isIgnored_andCostsNoOther(flag: String, problem: String) throws {
        let configuration = try read(#"{"flags": {\#(flag), "shop.notice": "Sale"}}"#)
        #expect(configuration.flags == ["shop.notice": .text("Sale")])
        #expect(configuration.problems == [problem])
    }

    @Test(arguments: [
        #"{"route": "shop.offer", "reject": "No."}"#:
            "Rule 1: No route has the identifier 'shop.offer'.",
        #"{"route": "shop.offers", "redirect": "shop.nothing|{}"}"#:
            "Rule 1: No route has the identifier 'shop.nothing'.",
        #"{"route": "shop.offers", "redirect": "shop.product|{}"}"#: "Rule 1: 'id' is missing.",
        #"{"route": "shop.offers", "redirect": "shop.product|{"}"#: nil,
        #"{"route": "shop.offers", "redirect": 7}"#: nil,
        #"{"route": "shop.offers", "reject": ["No."]}"#: nil,
        #"{"route": 7, "reject": "No."}"#: nil,
        #"{"route": "shop.offers|{}", "reject": "No."}"#:
            "Rule 1: 'route' has to be an identifier without values.",
        #"{"reject": "No."}"#: "Rule 1: 'route' is missing.",
        #"{"route": "shop.offers"}"#: "Rule 1: It needs either 'redirect' or 'reject'.",
        #"{"route": "shop.offers", "redirect": "shop.basket|{}", "reject": "No."}"#:
            "Rule 1: It needs either 'redirect' or 'reject'.",
        #"{"route": "shop.offers", "reject": ""}"#:
            "Rule 1: The text of 'reject' must have from 1 to 200 characters.",
        #"{"route": "shop.sign-in", "reject": "No."}"#:
            "Rule 1: No rule may be about 'shop.sign-in', or lead to it.",
        #"{"route": "shop.offers", "redirect": "shop.sign-in|{}"}"#:
            "Rule 1: No rule may be about 'shop.sign-in', or lead to it.",
        "[]": nil, "7": nil, "null": nil,
    ])
    func badRule_isIgnored_andCostsNoOther(rule: String, problem: String?) throws {
        let configuration = try read(#"{"rules": [\#(rule), {"route": "shop.basket", "reject": "No."}]}"#)
        #expect(Array(configuration.rules.keys) == ["shop.basket"])
        #expect(configuration.problems.count == 1)
        if let problem { #expect(configuration.problems == [problem]) }
    }

    @Test func secondRuleForARoute_replacesTheFirst() throws {
        let configuration = try read(
            #"""
            {"rules": [{"route": "shop.basket", "reject": "No."}, {"route": "shop.basket", "reject": "Never."}]}
            """#)
        #expect(configuration.rules["shop.basket"]?.text == "Never.")
        #expect(configuration.problems == ["Rule 2: It replaces another rule for 'shop.basket'."])
    }

    @Test(arguments: [
        (["shop.offers": "shop.offers"], 0), (["shop.offers": "shop.basket"], 1),
        (["shop.offers": "shop.basket", "shop.basket": "shop.offers"], 1),
    ])
    func redirectsInACircle_areIgnored(redirects: [String: String], left: Int) throws {
        let rules = redirects.map { #"{"route": "\#($0)", "redirect": "\#($1)|{}"}"# }
        let configuration = try read(#"{"rules": [\#(rules.joined(separator: ","))]}"#)
        #expect(configuration.rules.count == left)
        #expect(configuration.problems.count == redirects.count - left)
        #expect((configuration.refusal == nil) == (left == redirects.count))
    }

    @Test(arguments: [(100, 0), (101, 1), (10_000, 1)])
    func tooManyRules_areIgnored_andTheFlagsAreNot(count: Int, refusals: Int) throws {
        let json = #"{"flags": {"shop.discount": true}, "rules": [\#(rules(count: count))]}"#
        if json.utf8.count > 64 << 10 {
            #expect(throws: Message.self) { try read(json) }
        } else {
            let configuration = try read(json)
            #expect(configuration.flags.count == 1)
            #expect(configuration.rules.isEmpty == (refusals == 1))
            #expect((configuration.refusal == nil) == (refusals == 0))
        }
    }

    @Test(arguments: [
        "", "null", "7", "[]", "{", #"{"flags": []}"#, #"{"rules": {}}"#,
        String(repeating: "[", count: 60_000),
        #"{"later": ""# + String(repeating: "a", count: 1 << 20) + "\"}",
    ])
    func whatIsNoConfiguration_isAnError(json: String) {
        #expect(throws: Message.self) { try read(json) }
    }

    private func read(_ json: String) throws -> Configuration {
        try Configuration(
            Data(json.utf8), flags: Shop.flags, exemptRoutes: Shop.exemptRoutes, routes: Shop.routes)
    }
}

/// Rules that reject a route, one after another.
func rules(count: Int) -> String {
    Array(repeating: #"{"route":"shop.basket","reject":"No."}"#, count: count).joined(separator: ",")
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
