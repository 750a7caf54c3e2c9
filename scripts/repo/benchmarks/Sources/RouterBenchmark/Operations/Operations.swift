extension Operation {
    /// Every operation that is timed warm, in the order of the table.
    static let all =
        [nothing] + resolving + building + openings + growing + registrations + links + urlMatching

    /// The overhead of a repetition.
    static let nothing = Operation("nothing") {
        { repetitions in timed(repetitions) { keep(0) } }
    }

    /// The operation of this name.
    static func named(_ name: String) -> Operation? {
        all.first { $0.name == name }
    }
}
