extension Frame {
    /// The top line: where the person is at its start, what is known of the whole program at its end.
    ///
    /// The path comes first: the status has the columns that the path leaves, and none where too few are left to
    /// recognise it.
    static func bar(path: String, status: String, columns: Int) -> Line {
        let path = TextWidth.cutStart(path, to: columns - 2)
        let start = " \(path)"
        let left = columns - TextWidth.columns(of: start)
        let status = fitted(status, to: left - leastGap - 1)
        let end = status.isEmpty ? "" : "\(status) "
        let gap = String(repeating: " ", count: max(0, left - TextWidth.columns(of: end)))
        return Line(text: TextWidth.cut(start + gap + end, to: columns), style: .bar)
    }

    /// The columns that keep path and status apart.
    private static let leastGap = 2
    /// The columns below which the beginning of a status says nothing.
    private static let leastBeginning = 8

    private static func fitted(_ status: String, to columns: Int) -> String {
        guard TextWidth.columns(of: status) > columns else { return status }
        return columns < leastBeginning ? "" : TextWidth.cut(status, to: columns)
    }
}
