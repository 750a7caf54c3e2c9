extension RouterService {
    /// A stream of everything that the router decides and does from now on; it ends with the router.
    ///
    /// Each call makes a stream of its own. While nobody listens, watching costs one comparison for each event.
    public func events() -> AsyncStream<RouterEvent> {
        log.events()
    }
}
