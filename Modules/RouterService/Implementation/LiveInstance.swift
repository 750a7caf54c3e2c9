/// An instance that lives, held strongly.
///
/// It is an object of its own because an optional of a type that only the caller knows is slow to read: the runtime
/// would look `Optional<Value>` up each time.
final class KeptInstance<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// An instance that somebody else holds, as an object and as the type under which it serves.
///
/// A cast from the object to that type would make the runtime search for a conformance each time, so the value's
/// own bits are kept beside the weak reference, and read only while the object is known to live.
final class HeldInstance<Value> {
    /// The instance, while it lives.
    private(set) weak var object: AnyObject?
    private let bits: UnsafeMutableRawPointer

    /// Keeps a value that is a class instance, or an existential around one.
    init(_ value: Value, object: AnyObject) {
        self.object = object
        let layout = MemoryLayout<Value>.self
        bits = .allocate(byteCount: max(1, layout.size), alignment: layout.alignment)
        withUnsafeBytes(of: value) { bytes in
            if let start = bytes.baseAddress { bits.copyMemory(from: start, byteCount: bytes.count) }
        }
    }

    deinit {
        bits.deallocate()
    }

    /// The value, while its object lives.
    func value(of object: AnyObject) -> Value {
        withExtendedLifetime(object) { bits.load(as: Value.self) }
    }
}
