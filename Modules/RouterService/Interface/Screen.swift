/// What a presenter can show.
///
/// The router hands screens from features to the presenter and knows nothing else about user interfaces. Here a
/// screen is a `Display.ContentScreen`; elsewhere it may be a `UIViewController`.
@MainActor
public protocol Screen {}
