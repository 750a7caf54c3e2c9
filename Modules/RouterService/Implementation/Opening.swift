import RouterServiceInterface

/// A route that is to be opened, and how.
struct Opening {
    let route: any Route
    let style: PresentationStyle
}

/// Who opens a route.
enum Opener {
    /// The router itself, for the first screen.
    case start
    /// Somebody who has the router.
    case router
    /// A screen; what it opens is not shown when it is gone.
    case screen(any AnyShowing)
    /// An interceptor, while it decides about the route of a journey.
    indirect case interceptor(Journey)
}
