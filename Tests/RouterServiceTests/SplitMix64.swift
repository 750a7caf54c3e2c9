/// A small generator of random numbers whose whole sequence is known from its seed.
///
/// SplitMix64, from Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014, in the form that Sebastiano Vigna published (https://prng.di.unimi.it/splitmix64.c).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
