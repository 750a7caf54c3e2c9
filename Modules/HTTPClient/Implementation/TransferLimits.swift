/// The limits of the client: its time, its attempts, and the sizes that it accepts.
struct TransferLimits: Sendable {
    /// The time from the start of an attempt to the last byte of its response.
    var timeout: Duration = .seconds(10)
    /// The most times that a request is sent, counting the first; for idempotent requests only.
    var attempts = 3
    /// The pause after the first failed attempt; it doubles after each further one.
    var backoff: Duration = .milliseconds(200)
    /// The bytes of the largest body that is accepted: 1 MiB.
    var bodyBytes = 1 << 20

    /// The timeout in seconds, as Foundation counts.
    var timeoutSeconds: Double { timeout / .seconds(1) }

    /// The pause between a failed attempt, counted from 1, and the next one.
    func pause(after attempt: Int) -> Duration {
        // The pause doubles at most ten times (more than three minutes), so that no number of attempts overflows.
        backoff * (1 << min(attempt - 1, 10))
    }
}
