/// The sessions of the server: the user of each token.
struct EmbeddedSessions: Codable, Sendable {
    /// The most sessions of a user; a further sign-in ends the oldest session.
    static let maximum = 100

    private var users: [String: String] = [:]
    /// The tokens of each user, oldest first.
    private var tokens: [String: [String]] = [:]

    /// Begins a session, and returns its token.
    mutating func begin(of user: String) -> String {
        // The system's generator makes numbers that cannot be guessed.
        let token = (1...4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
        users[token] = user
        tokens[user, default: []].append(token)
        if let oldest = tokens[user]?.first, tokens[user, default: []].count > Self.maximum { end(oldest) }
        return token
    }

    mutating func end(_ token: String) {
        guard let user = users.removeValue(forKey: token) else { return }
        tokens[user]?.removeAll { $0 == token }
    }

    /// The user of a token; nil where its session has ended.
    func user(of token: String) -> String? {
        // Hashes are seeded at random, so the time of a look-up does not depend on how much of a guess is right.
        users[token]
    }
}
