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
private let unknownPosition = "This server does not know the position. Read everything again."
private let longTitle = "The title must have at most 200 characters."
private let longText = "The text must have at most 10000 characters."
private let titleOf200 = String(repeating: "é", count: 200)
private let textOf10000 = String(repeating: "👍", count: 10_000)

private func path(_ id: String) -> [String] { ["notes", id] }

/// The body of a save.
private func draft(_ title: String, _ text: String) -> String { #"{"title":"\#(title)","text":"\#(text)"}"# }

/// The versions of the notes that have several, with those of their deletions.
private let versions = [first: [1, 2, 3, 6, 8], second: [5, 7, 9, 10, 11, 12]]

/// The versions of a note before one of them, the latest first.
private func former(_ id: String, before version: Int) -> String {
    let all = versions[id] ?? []
    let former = all.contains(version) ? all.filter { $0 < version }.reversed() : []
    return former.map { "\"\($0)\"" }.joined(separator: ",")
}

/// A note in a response.
private func note(_ id: String, _ title: String, _ text: String, version: Int) -> String {
    #"{"id":"\#(id)","title":"\#(title)","text":"\#(text)","changed":"DATE","version":"\#(version)","#
        + #""former":[\#(former(id, before: version))],"isDeleted":false}"#
}

/// A deletion in a response.
private func deletion(_ id: String, version: Int, former known: String? = nil) -> String {
    #"{"id":"\#(id)","title":"","text":"","changed":"DATE","version":"\#(version)","#
        + #""former":[\#(known ?? former(id, before: version))],"isDeleted":true}"#
}

/// A page of a response.
private func page(_ notes: [String] = [], deleted: [String] = [], hasMore: Bool = false) -> String {
    #"{"server":"SERVER","notes":[\#(notes.joined(separator: ","))],"#
        + #""deleted":[\#(deleted.joined(separator: ","))],"position":"P","hasMore":\#(hasMore)}"#
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
        Row(.wrong, .get, list, query: ["since": "0"], 401, error: signIn),
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

        // A new note; sent again, because the response was lost; a different one with its id.
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "é"), 201, note(first, " A ", "é", version: 1)),
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "é"), 200, note(first, " A ", "é", version: 1)),
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "e\u{301}"), 200,
            note(first, " A ", "é", version: 1)),
        Row(
            .ann, .put, path(first), if: .absent, draft(" A ", "e"), 412,
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

        // The note that was saved last comes last.
        Row(.ann, .put, path(second), if: .absent, draft("2", ""), 201, note(second, "2", "", version: 5)),
        Row(
            .ann, .get, list, 200, page([note(first, "", "", version: 3), note(second, "2", "", version: 5)])),
        Row(
            .ann, .put, path(first), if: .version("3"), draft("1", ""), 200, note(first, "1", "", version: 6)),
        Row(
            .ann, .get, list, query: ["of": "a&b=c +é"], 200,
            page([note(second, "2", "", version: 5), note(first, "1", "", version: 6)])),
    ]
    // Positions of other runs, and texts that are none.
    + ["0", "1-1", "0-0-0", "-1", " 1", "٣", "", "x", "99999999999999999999"].map {
        Row(.ann, .get, list, query: ["since": $0], 410, error: unknownPosition)
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
        Row(
            .ann, .get, list, 200,
            page([note(first, "1", "", version: 6)], deleted: [deletion(second, version: 7)])),
        Row(.ann, .delete, path(first.lowercased()), if: .version("6"), 204, ""),
        Row(
            .ann, .get, list, 200,
            page(deleted: [deletion(second, version: 7), deletion(first, version: 8)])),
        Row(.bob, .get, list, 200, page([note(first, "Bob's", "", version: 4)])),
        // No version is drawn twice, and a note that is saved again is no longer deleted.
        Row(.ann, .put, path(second), if: .absent, draft("2", ""), 201, note(second, "2", "", version: 9)),
        Row(
            .ann, .get, list, 200,
            page([note(second, "2", "", version: 9)], deleted: [deletion(first, version: 8)])),
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
        Row(
            .ann, .get, list, 200,
            page(
                Array(longPage.prefix(10)),
                deleted: [deletion(first, version: 8), deletion(second, version: 12)], hasMore: true)),
        // Deletions take no room for text.
        Row(
            .ann, .delete, path(longNotes[1]), if: .version("14"), 204, ""),
        Row(
            .ann, .get, list, 200,
            page(
                [longPage[0]] + longPage.dropFirst(2),
                deleted: [
                    deletion(first, version: 8), deletion(second, version: 12),
                    deletion(longNotes[1], version: 24, former: #""14""#),
                ])),
    ]
