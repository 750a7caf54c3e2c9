import HTTPClientInterface
import RouterServiceInterface

extension BackendTable {
    static let notes = BackendTable(description: "notes", rows: requests)
}

private typealias Row = BackendTable.Row

private let list = ["notes"]
private let first = "C56A4180-65AA-42EC-A945-5FD21DEC0538"
private let second = "00000000-0000-4000-8000-000000000002"
private let missing = "00000000-0000-4000-8000-00000000000f"
private let signIn = "Sign in first."
private let malformed = "The body must be a JSON object with the texts 'title' and 'text'."
private let noCondition = "A note is saved with 'If-None-Match: *' when it is new, otherwise with 'If-Match'."
private let badAfter = "'after' must be a number from 1 to 1000000000000000."
private let longTitle = "The title must have at most 200 characters."
private let longText = "The text must have at most 10000 characters."
private let titleOf200 = String(repeating: "é", count: 200)
private let textOf10000 = String(repeating: "👍", count: 10_000)

private func path(_ id: String) -> [String] { ["notes", id] }

/// The body of a save.
private func draft(_ title: String, _ text: String) -> String { #"{"title":"\#(title)","text":"\#(text)"}"# }

/// A note in an answer.
private func note(_ id: String, _ title: String, _ text: String, version: Int) -> String {
    #"{"id":"\#(id)","title":"\#(title)","text":"\#(text)","changed":"DATE","version":"\#(version)"}"#
}

/// A page of an answer; its newest version is left out of all answers, and there are no gaps where the clock stands.
private func page(_ notes: [String] = [], deleted: [String] = [], next: Int? = nil) -> String {
    let ids = deleted.map { "\"\($0)\"" }.joined(separator: ",")
    let list =
        #"{"server":"SERVER","newest":"N","gaps":[],"notes":[\#(notes.joined(separator: ","))],"deleted":[\#(ids)]"#
    return list + (next.map { #","next":"\#($0)"}"# } ?? "}")
}

private func conflict(_ present: String) -> String {
    #"{"error":"The note was changed meanwhile.","note":\#(present)}"#
}

/// Enough text for two pages of 100,000 characters.
private let longNotes = (10...20).map { "00000000-0000-4000-8000-0000000000\($0)" }
private let longPage = longNotes.enumerated().map { note($1, "", tenThousand, version: 13 + $0) }
private let tenThousand = String(repeating: "x", count: 10_000)

private let requests =
    [
        Row(.nobody, .get, list, 401, error: signIn),
        Row(.wrong, .get, list, query: ["after": "0"], 401, error: signIn),
        Row(.nobody, .put, path("1"), if: .absent, "{}", 401, error: signIn),
        Row(.nobody, .delete, path(first), 401, error: signIn),
        Row(.ann, .post, list, "{}", 405, error: "This address does not support POST."),
        Row(.ann, .post, path(first), "{}", 405, error: "This address does not support POST."),
        Row(.ann, .get, ["notes", first, "text"], 404, error: "There is nothing at this address."),
        Row(.ann, .get, list, 200, page()),
        Row(.ann, .get, path(first), 405, error: "This address does not support GET."),

        // The mistakes of a save are found in this order, and nothing is saved.
        Row(.ann, .put, path("1"), "", 422, error: "The id of a note must be a UUID."),
        Row(.ann, .put, path("{\(first)}"), "", 422, error: "The id of a note must be a UUID."),
        Row(.ann, .put, path("\(first)0"), "", 422, error: "The id of a note must be a UUID."),
        Row(.ann, .put, path("\(first)\0/5"), "", 422, error: "The id of a note must be a UUID."),
        Row(.ann, .put, path(first), "", 428, error: noCondition),
        Row(.ann, .put, path(first), if: .absent, nil, 400, error: malformed),
        Row(.ann, .put, path(first), if: .absent, "", 400, error: malformed),
        Row(.ann, .put, path(first), if: .absent, #"["title","text"]"#, 400, error: malformed),
        Row(.ann, .put, path(first), if: .absent, #"{"title":"A"}"#, 400, error: malformed),
        Row(.ann, .put, path(first), if: .absent, #"{"title":"A","text":null}"#, 400, error: malformed),
        Row(.ann, .put, path(first), if: .absent, #"{"title":"\udc00","text":""}"#, 400, error: malformed),
        Row(.ann, .put, path(first), if: .absent, draft(titleOf200 + "x", "x"), 422, error: longTitle),
        Row(.ann, .put, path(first), if: .absent, draft("x", textOf10000 + "x"), 422, error: longText),
        Row(
            .ann, .put, path(first), if: .version("1"), draft("A", "a"), 404,
            error: "There is no note '\(first)'."),
        Row(.ann, .get, list, 200, page()),

        // A new note; sent again, because the answer was lost; a different one with its id.
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "é"), 201, note(first, " A ", "é", version: 1)),
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "é"), 200, note(first, " A ", "é", version: 1)),
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "e\u{301}"), 412,
            conflict(note(first, " A ", "é", version: 1))),
        Row(.ann, .get, list, 200, page([note(first, " A ", "é", version: 1)])),

        // A change; sent again; from a version that is no longer the present one; without a change.
        Row(
            .ann, .put, path(first), if: .version("1"), draft("B", #"\n\"\u0000"#), 200,
            note(first, "B", #"\n\"\u0000"#, version: 2)),
        Row(
            .ann, .put, path(first), if: .version("1"), draft("B", #"\n\"\u0000"#), 200,
            note(first, "B", #"\n\"\u0000"#, version: 2)),
        Row(
            .ann, .put, path(first), if: .version("1"), draft("C", ""), 412,
            conflict(note(first, "B", #"\n\"\u0000"#, version: 2))),
        Row(
            .ann, .put, path(first), if: .version("x"), draft("C", ""), 412,
            conflict(note(first, "B", #"\n\"\u0000"#, version: 2))),
        Row(.ann, .put, path(first), if: .version("2"), draft("", ""), 200, note(first, "", "", version: 3)),
        Row(.ann, .put, path(first), if: .version("3"), draft("", ""), 200, note(first, "", "", version: 3)),

        // The case of an id does not matter.
        Row(
            .ann, .put, path(first.lowercased()), if: .absent, draft("x", ""), 412,
            conflict(note(first, "", "", version: 3))),

        // Notes of others are not there; their ids are free.
        Row(.bob, .get, list, 200, page()),
        Row(
            .bob, .put, path(first), if: .version("3"), draft("x", ""), 404,
            error: "There is no note '\(first)'."),
        Row(.bob, .delete, path(first), if: .version("3"), 204, ""),
        Row(
            .bob, .put, path(first), if: .absent, draft("Bob's", ""), 201,
            note(first, "Bob's", "", version: 4)),
        Row(.ann, .get, list, 200, page([note(first, "", "", version: 3)])),

        // The one that was saved last comes first, page by page.
        Row(.ann, .put, path(second), if: .absent, draft("2", ""), 201, note(second, "2", "", version: 5)),
        Row(
            .ann, .get, list, 200, page([note(second, "2", "", version: 5), note(first, "", "", version: 3)])),
        Row(
            .ann, .put, path(first), if: .version("3"), draft("1", ""), 200, note(first, "1", "", version: 6)),
        Row(
            .ann, .get, list, query: ["after": "6"], 200,
            page([note(second, "2", "", version: 5)])),
        Row(.ann, .get, list, query: ["after": "5"], 200, page()),
        Row(
            .ann, .get, list, query: ["of": "a&b=c +é"], 200,
            page([note(first, "1", "", version: 6), note(second, "2", "", version: 5)])),
        Row(.bob, .get, list, query: ["after": "5"], 200, page([note(first, "Bob's", "", version: 4)])),
    ]
    + ["0", "1000000000000001", "-1", "+1", " 1", "1.0", "٣", "", "x", "99999999999999999999"].map {
        Row(.ann, .get, list, query: ["after": $0], 400, error: badAfter)
    }
    + [
        // Deletions, which have versions of their own, and a save of a note that was deleted meanwhile.
        Row(.ann, .delete, path(second), 428, error: "A note is deleted with 'If-Match'."),
        Row(.ann, .delete, path(second), if: .absent, 428, error: "A note is deleted with 'If-Match'."),
        Row(
            .ann, .delete, path(second), if: .version("2"), 412, conflict(note(second, "2", "", version: 5))),
        Row(.ann, .delete, path(second), if: .version("5"), 204, ""),
        Row(.ann, .delete, path(second), if: .version("5"), 204, ""),
        Row(.ann, .delete, path(missing), if: .version("5"), 204, ""),
        Row(
            .ann, .put, path(second), if: .version("5"), draft("x", ""), 404,
            error: "There is no note '\(second)'."),
        Row(.ann, .get, list, 200, page([note(first, "1", "", version: 6)], deleted: [second])),
        Row(
            .ann, .get, list, query: ["after": "7"], 200,
            page([note(first, "1", "", version: 6)])),
        Row(.ann, .delete, path(first.lowercased()), if: .version("6"), 204, ""),
        Row(.ann, .get, list, 200, page(deleted: [first, second])),
        Row(.bob, .get, list, 200, page([note(first, "Bob's", "", version: 4)])),
        // No version is given twice, and a note that is saved again is no longer deleted.
        Row(.ann, .put, path(second), if: .absent, draft("2", ""), 201, note(second, "2", "", version: 9)),
        Row(.ann, .get, list, 200, page([note(second, "2", "", version: 9)], deleted: [first])),
        Row(.ann, .get, list, query: ["after": "9"], 200, page(deleted: [first])),
        Row(.ann, .delete, path(second), if: .version("9"), 204, ""),
        Row(
            .ann, .put, path(second), if: .absent, draft(titleOf200, textOf10000), 201,
            note(second, titleOf200, textOf10000, version: 11)),
        // A conflict's body holds the largest note whole.
        Row(
            .ann, .put, path(second), if: .absent, draft("", ""), 412,
            conflict(note(second, titleOf200, textOf10000, version: 11))),
        Row(.ann, .delete, path(second), if: .version("11"), 204, ""),
    ]
    + zip(longNotes, longPage).map { id, note in
        Row(.ann, .put, path(id), if: .absent, draft("", tenThousand), 201, note)
    }
    + [
        Row(.ann, .get, list, 200, page(longPage.suffix(10).reversed(), next: 14)),
        Row(
            .ann, .get, list, query: ["after": "14"], 200, page([longPage[0]], deleted: [second, first])),
        // Deletions take no room for text, so they are on a page that is full of it.
        Row(
            .ann, .delete, path(longNotes[1]), if: .version("14"), 204, ""),
        Row(
            .ann, .get, list, 200,
            page(longPage.suffix(9).reversed() + [longPage[0]], deleted: [longNotes[1], second, first])),
    ]
