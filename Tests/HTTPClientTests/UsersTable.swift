import HTTPClientInterface

extension BackendTable {
    static let users = BackendTable(description: "sessions and profiles", rows: requests)
}

private typealias Row = BackendTable.Row

private let session = ["session"]
private let ann = ["users", "ann"]
private let bob = ["users", "bob"]
private let nobody = ["users", "x/../'ä"]
private let linksOfAnn = #"{"title":"Profile of bob","link":"profile.overview|{\"user\":\"bob\"}"}"#
private let linkOfBob = #"{"title":"Profile of ann","link":"profile.overview|{\"user\":\"ann\"}"}"#
private let ownLink = #"{"title":"Notes","link":"notes.list|{}"}"#
private let family = "👩‍👩‍👧‍👦"  // seven Unicode scalars
private let families = String(repeating: family, count: 5) + "abcde"
private let wrong = "The user name or the password is wrong."
private let malformedSession = "The body must be a JSON object with the texts 'user' and 'password'."
private let malformedName = "The body must be a JSON object with the text 'displayName'."
private let badName = "A display name has 1 to 40 characters; an emoji may count as several."
private let accents = String(repeating: "e\u{301}", count: 40)
private let forty = String(repeating: "é", count: 40)

private let requests = [
    Row(.nobody, .post, session, #"{"user":"ann","password":"Secret"}"#, 401, error: wrong),
    Row(.nobody, .post, session, #"{"user":"eve","password":"secret"}"#, 401, error: wrong),
    Row(.nobody, .post, session, #"{"user":"ann"}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":"ann","password":null}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":1,"password":"secret"}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":"ann","password":"\ud800"}"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"["user","password"]"#, 400, error: malformedSession),
    Row(.nobody, .post, session, #"{"user":"ann""#, 400, error: malformedSession),
    Row(.nobody, .post, session, "", 400, error: malformedSession),
    Row(.nobody, .post, session, nil, 400, error: malformedSession),
    Row(.nobody, .get, session, 405, error: "This address does not support GET."),
    Row(.ann, .put, session, "{}", 405, error: "This address does not support PUT."),
    Row(.ann, .post, ann, "{}", 405, error: "This address does not support POST."),
    Row(.ann, .delete, ann, 405, error: "This address does not support DELETE."),
    Row(.ann, .get, ["users"], 404, error: "There is nothing at this address."),
    Row(.ann, .get, ["users", "ann", "links"], 404, error: "There is nothing at this address."),
    Row(.ann, .get, ["session", "ann"], 404, error: "There is nothing at this address."),
    Row(.nobody, .get, ["users/ann"], 404, error: "There is nothing at this address."),

    Row(.nobody, .get, ann, 401, error: "Sign in first."),
    Row(.wrong, .get, ann, 401, error: "Sign in first."),
    Row(.nobody, .get, nobody, 401, error: "Sign in first."),
    Row(.ann, .get, nobody, 404, error: "There is no user 'x/../'ä'."),
    Row(
        .ann, .get, ann, nil, 200,
        #"{"id":"ann","displayName":"Ann Example","links":[\#(linksOfAnn),\#(ownLink)]}"#),
    Row(
        .ann, .get, bob, nil, 200,
        #"{"id":"bob","displayName":"Bob Builder","links":[\#(linkOfBob)]}"#),
    Row(
        .bob, .get, bob, nil, 200,
        #"{"id":"bob","displayName":"Bob Builder","links":[\#(linkOfBob),\#(ownLink)]}"#),

    Row(.nobody, .put, ann, #"{"displayName":"A"}"#, 401, error: "Sign in first."),
    Row(.bob, .put, ann, #"{"displayName":"A"}"#, 403, error: "You can change only your own profile."),
    Row(.bob, .put, ann, "", 403, error: "You can change only your own profile."),
    Row(.ann, .put, nobody, #"{"displayName":"A"}"#, 404, error: "There is no user 'x/../'ä'."),
    Row(.ann, .put, ann, #"{"name":"A"}"#, 400, error: malformedName),
    Row(.ann, .put, ann, #"{"displayName":NaN}"#, 400, error: malformedName),
    Row(.ann, .put, ann, #"{"displayName":""}"#, 422, error: badName),
    Row(.ann, .put, ann, #"{"displayName":" \n\u2003\t\u0085"}"#, 422, error: badName),
    Row(.ann, .put, ann, #"{"displayName":"\#(forty)x"}"#, 422, error: badName),
    Row(.ann, .put, ann, #"{"displayName":"\#(families)f"}"#, 422, error: badName),
    Row(
        .ann, .put, ann, #"{"displayName":"\#(accents)"}"#, 200,
        #"{"id":"ann","displayName":"\#(forty)","links":[\#(linksOfAnn),\#(ownLink)]}"#),
    Row(
        .ann, .put, ann, #"{"displayName":"\#(families)"}"#, 200,
        #"{"id":"ann","displayName":"\#(families)","links":[\#(linksOfAnn),\#(ownLink)]}"#),
    Row(
        .ann, .put, ann, #"{"displayName":"  \#(forty)\u00a0"}"#, 200,
        #"{"id":"ann","displayName":"\#(forty)","links":[\#(linksOfAnn),\#(ownLink)]}"#),
    Row(
        .ann, .put, ann, #"{"displayName":" A \"B\" 👩‍👩‍👧 "}"#, 200,
        #"{"id":"ann","displayName":"A \"B\" 👩‍👩‍👧","links":[\#(linksOfAnn),\#(ownLink)]}"#),
    Row(
        .bob, .get, ann, nil, 200, #"{"id":"ann","displayName":"A \"B\" 👩‍👩‍👧","links":[\#(linksOfAnn)]}"#),

    Row(.nobody, .delete, session, 401, error: "Sign in first."),
    Row(.wrong, .delete, session, 401, error: "Sign in first."),
    Row(.ann, .delete, session, nil, 204, ""),
    Row(.ann, .delete, session, 401, error: "Sign in first."),
    Row(.ann, .get, ann, 401, error: "Sign in first."),
]
