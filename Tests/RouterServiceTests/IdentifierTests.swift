import Foundation
import RouterServiceInterface
import Testing

/// Names and texts that look alike, and are not the same.
struct IdentifierTests {
    private let composed = "\u{E9}"
    private let decomposed = "e\u{301}"

    private struct Text: Hashable, Codable {
        @ExactText var text: String
    }

    @Test func identifiers_areEqualWhereTheirScalarsAre() {
        #expect(composed == decomposed, "as strings")
        #expect(Identifier(composed) != Identifier(decomposed))
        #expect(Identifier(composed) == "\u{E9}")
        #expect(Set([composed, decomposed, composed].map { Identifier($0) }).count == 2)
        #expect(Identifier(decomposed) < Identifier(composed))
        #expect(Identifier("a") < "ab")
    }

    @Test func exactTexts_makeTheTypeAroundThemExact() {
        #expect(Text(text: composed) != Text(text: decomposed))
        #expect(Set([Text(text: composed), Text(text: decomposed)]).count == 2)
    }

    @Test func both_areCodedAsStrings() throws {
        #expect(
            String(decoding: try JSONEncoder().encode(Identifier(decomposed)), as: UTF8.self)
                == "\"e\u{301}\"")
        let text = try JSONDecoder().decode(Text.self, from: Data(#"{"text":"e\u0301"}"#.utf8))
        #expect(text == Text(text: decomposed))
    }
}
