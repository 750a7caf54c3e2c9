import RouterServiceInterface

/// Providers by the type of their service, hashed by one multiplication: nobody outside the program chooses the addresses of types.
@MainActor
final class ProviderTable {
    private struct Slot {
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

    /// Sets the provider of a service; the caller holds the former provider, so that it is not released here.
    func set(_ provider: AnyProvider?, for type: TypeKey) {
        // The array is moved out and back: a change in place would check each access to the property.
        var slots = slots
        self.slots = []
        defer { self.slots = slots }
        let slot = Slot(key: UInt(bitPattern: type.id), provider: provider)
        let index = Self.index(of: slot.key, in: slots)
        let isNew = slots[index].key == 0
        guard provider != nil || !isNew else { return }
        slots[index] = slot
        guard isNew else { return }
        count += 1
        guard 2 * count > slots.count else { return }
        let former = slots
        slots = Array(repeating: Slot(), count: 2 * former.count)
        for slot in former where slot.key != 0 { slots[Self.index(of: slot.key, in: slots)] = slot }
    }

    @inline(__always)
    private static func index(of key: UInt, in slots: [Slot]) -> Int {
        let hash = key &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
        while slots[index].key != key, slots[index].key != 0 { index = (index + 1) & (slots.count - 1) }
        return index
    }
}
