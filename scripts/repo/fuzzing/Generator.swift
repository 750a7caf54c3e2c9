/// Makes inputs that are nearly valid, and some that are nothing at all.
///
/// An input depends on the seed and its number only, so that one can be made again without those before it.
struct Generator {
    let seed: UInt64

    /// Valid inputs of each form, from which the others are bred.
    let examples: [[UInt8]]

    private static let pieces = [
        "|", "{", "}", "[", "]", "\"", "\\", "\\\"", "\\u0000", "\\ud800", ":", "//", "://", "/", "?", "&",
        "=", "#",
        "%", "%2", "%2F", "%00", "%FF", "%zz", "..", ".", "+", "*", "-", "0", "1e999", "nan", "null", "true",
        "\n", "\0",
        "é", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "\u{FEFF}", "9999999999999999999999",
        "profile.overview|",
        "next=", "&texts=", "2024-02-30T00:00:00Z", "T24:00:00Z", "[[[[[[[[", "@", ":80",
    ].map { Array($0.utf8) }

    /// The input of a number.
    func input(_ number: Int) -> [UInt8] {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
        guard !random.chance(1, in: 20) else {
            return (0..<random.below(64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        var input = random.element(of: examples)
        for _ in 0..<random.below(6) { mutate(&input, with: &random) }
        return input
    }

    private func mutate(_ input: inout [UInt8], with random: inout SplitMix64) {
        let start = random.below(input.count + 1)
        let end = start + random.below(input.count - start + 1)
        switch random.below(9) {
        case 0: input.insert(contentsOf: random.element(of: Self.pieces), at: start)
        case 1: input.replaceSubrange(start..<end, with: random.element(of: Self.pieces))
        case 2: input.removeSubrange(start..<end)
        case 3: input.removeSubrange(start...)
        case 4: input.insert(contentsOf: input[start..<end], at: end)
        case 5: input.replaceSubrange(start..<end, with: random.element(of: examples))
        case 6 where start < input.count: input[start] = UInt8(truncatingIfNeeded: random.next())
        case 7 where start < input.count: input[start] ^= 1 << UInt8(random.below(8))
        // Rarely something very long: a slice many times over.
        case 8 where random.chance(1, in: 200):
            let slice = input[start..<end]
            input.insert(contentsOf: repeatElement(slice, count: random.below(2_000)).joined(), at: end)
        default: input.append(contentsOf: random.element(of: Self.pieces))
        }
    }
}

/// The generator of random numbers by Sebastiano Vigna, "Further scramblings of Marsaglia's xorshift generators".
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(1, limit)))
    }

    mutating func chance(_ part: Int, in whole: Int) -> Bool {
        below(whole) < part
    }

    mutating func element(of choices: [[UInt8]]) -> [UInt8] {
        choices[below(choices.count)]
    }
}
