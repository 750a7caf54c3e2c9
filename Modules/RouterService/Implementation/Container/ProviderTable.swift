import RouterServiceInterface

/// Providers by the type of their service.
///
/// A type's identity is an address that nobody outside of the program chooses, so that one multiplication is a good hash;
/// that of a dictionary takes longer than the rest of a resolution.
@MainActor
final class ProviderTable {
    private struct Slot {
        /// The identity of the type; 0 for none.
        var key: UInt = 0
        var provider: AnyProvider?
    }

    /// A power of two, at most half of them used.
    private var slots = Array(repeating: Slot(), count: 8)
    private var count = 0

    var all: [AnyProvider] { slots.compactMap(\.provider) }

    @inline(__always)
    subscript(type: ObjectIdentifier) -> AnyProvider? {
        slots[Self.index(of: UInt(bitPattern: type), in: slots)].provider
    }

    /// Adds a provider, unless there is one of the same service.
    func insert(_ provider: AnyProvider) {
        // Only whole arrays are read and written: a change in place would have each access to the property checked, which
        // takes as long as the search. Meanwhile the array has one owner, so that it is not copied.
        var slots = slots
        self.slots = []
        defer { self.slots = slots }
        let slot = Slot(key: UInt(bitPattern: provider.service.type.id), provider: provider)
        let index = Self.index(of: slot.key, in: slots)
        guard slots[index].key == 0 else { return }
        slots[index] = slot
        count += 1
        guard 2 * count > slots.count else { return }
        let former = slots
        slots = Array(repeating: Slot(), count: 2 * former.count)
        for slot in former where slot.key != 0 { slots[Self.index(of: slot.key, in: slots)] = slot }
    }

    /// The slot of a type, or the free one where it would be.
    @inline(__always)
    private static func index(of key: UInt, in slots: [Slot]) -> Int {
        let hash = key &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
        while slots[index].key != key, slots[index].key != 0 { index = (index + 1) & (slots.count - 1) }
        return index
    }
}
