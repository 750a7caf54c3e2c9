/// The content of a terminal's window after the bytes that were drawn on it.
///
/// The screen knows the sequences of the full-screen terminal (ECMA-48 and xterm's `ctlseqs`) and keeps all others in
/// ``unknown``. Every character takes one cell. Of a window with more than 1,000 columns or rows, the first 1,000 are kept.
public struct EmulatedScreen: Equatable, Sendable {
    /// The rows that a window shows, without spaces at their ends.
    public var lines: [String] {
        cells.map { row in
            String(row.prefix((row.lastIndex { $0.character != " " } ?? -1) + 1).map(\.character))
        }
    }
    public var text: String { lines.joined(separator: "\n") }
    /// The row of the cursor, from 0.
    public private(set) var row = 0
    /// The column of the cursor, from 0.
    public private(set) var column = 0
    public private(set) var showsCursor = true
    public private(set) var isAlternate = false
    /// Whether clicks and the wheel are reported.
    public private(set) var reportsMouse = false
    /// The sequence that set the style of each cell; empty for the usual style.
    public var cellStyles: [[String]] { cells.map { $0.map(\.style) } }
    /// The sequences that set colours and other styles.
    public private(set) var styles: Set<String> = []
    /// Sequences and control characters that no program here has a reason to send.
    public private(set) var unknown: [String] = []

    private struct Cell: Equatable {
        var character: Character = " "
        var style = ""
    }

    private var cells: [[Cell]]
    private var style = ""
    private var pending: [UInt8] = []

    public init(columns: Int, rows: Int) {
        cells = Self.empty(columns, rows)
    }

    private static func empty(_ columns: Int, _ rows: Int) -> [[Cell]] {
        Array(repeating: Array(repeating: Cell(), count: min(columns, 1000)), count: min(rows, 1000))
    }

    /// Empties the screen and gives it another size.
    public mutating func resize(columns: Int, rows: Int) {
        cells = Self.empty(columns, rows)
        row = 0
        column = 0
    }

    /// Draws bytes, which may end in the middle of a character or a sequence.
    public mutating func draw(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if pending.isEmpty, byte != 0x1B, byte < 0x80 {
                put(Unicode.Scalar(byte))
                continue
            }
            pending.append(byte)
            if pending.first == 0x1B {
                readSequence()
            } else if let text = String(validating: pending, as: UTF8.self) {
                pending = []
                text.unicodeScalars.forEach { put($0) }
            }
        }
    }

    private mutating func readSequence() {
        guard pending.count > 2, let final = pending.last, (0x40...0x7E).contains(final) else { return }
        let sequence = String(decoding: pending.dropFirst(), as: UTF8.self)
        pending = []
        switch sequence {
        case "[?25h": showsCursor = true
        case "[?25l": showsCursor = false
        case "[?1049h", "[?1049l", "[2J":
            if sequence != "[2J" { isAlternate = sequence.last == "h" }
            resize(columns: cells.first?.count ?? 0, rows: cells.count)
        case "[K":
            guard cells.indices.contains(row) else { return }
            for index in cells[row].indices.dropFirst(column) { cells[row][index] = Cell() }
        case "[?1000h", "[?1000l": reportsMouse = sequence.last == "h"
        case "[?2004h", "[?2004l", "[?2026h", "[?2026l", "[?1006h", "[?1006l", "[?7h", "[?7l": break
        case _ where sequence.last == "m":
            styles.insert(sequence)
            style = sequence == "[0m" ? "" : sequence
        default:
            guard sequence.last == "H" else { return unknown.append(sequence) }
            let numbers = sequence.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
            (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
        }
    }

    /// Goes to the next row; in the last row, the screen scrolls.
    private mutating func lineFeed() {
        guard row == cells.count - 1 else { return row += 1 }
        cells.append(Array(repeating: Cell(), count: cells.removeFirst().count))
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r": column = 0
        case "\n": lineFeed()
        case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
            unknown.append("U+\(scalar.value)")
        case _ where scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark: break
        default:
            if cells.indices.contains(row), cells[row].indices.contains(column) {
                cells[row][column] = Cell(character: Character(scalar), style: style)
            }
            column += 1
        }
    }
}
