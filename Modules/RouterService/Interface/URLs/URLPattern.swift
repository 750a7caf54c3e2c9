/// A kind of URL that opens one type of route, for example `app://profile/:userID?tab&tag*`.
///
/// ```
/// pattern  =  scheme "://" host [ ":" port ] *( "/" segment ) [ "/" ] [ "?" name *( "&" name ) ]
/// segment  =  text  |  ":" parameter  |  ":" parameter "*"     the last form only at the end of the path
/// name     =  parameter  |  parameter "*"
/// ```
///
/// - A `text` stands for itself. It may be written percent-encoded, and takes no `*`.
/// - A `:parameter` takes one segment of the path.
/// - A `:parameter*` takes all the segments that remain, perhaps none, as an array.
/// - A `name` after the question mark takes the query item of that name, `name*` all of that name, as an array.
///
/// A parameter is named like the route's coding key for it: letters, digits, `_`, `-` and `.`. A path has at most
/// 64 segments.
///
/// The values may be text, numbers, `true` and `false` (or `1` and `0`), enumerations with raw values, `UUID`, `URL`,
/// `Decimal`, `Date` in ISO 8601, an ``AnyRoute`` in its string form, optionals and arrays of these. What is absent is
/// `nil` or an empty array; an empty array in an optional is therefore read back as `nil`.
///
/// The scheme and the host are compared without regard to case, the path with. A slash at the end of the path, the
/// fragment, and query items that the pattern does not name do not matter. `+` is a plus sign. A segment that is
/// empty, `.` or `..` matches nothing, because other programs rewrite such paths.
///
/// Where several patterns match, the most specific one wins: segment by segment from the left, a text comes before
/// `:parameter`, and that before `:parameter*`. Query names take no part in it, so two patterns that differ only in
/// the names of parameters, or in the query, are a conflict.
///
/// A malformed pattern is kept as it is and never matches; ``RouteCatalog/problems`` says what is wrong with it.
public struct URLPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The pattern as it was written.
    public let description: String

    /// Keeps a pattern, well-formed or not.
    public init(_ pattern: String) {
        description = pattern
    }

    /// Keeps a pattern, well-formed or not.
    public init(stringLiteral pattern: String) {
        self.init(pattern)
    }
}
