/// An instance that somebody else holds, as an object and as the type under which it serves.
///
/// A cast from the object to that type would make the runtime search for a conformance each time, so the value's
/// own bits are kept beside the weak reference, and read only while the object is known to live.
final class HeldInstance<Value> {
    /// The instance, while it lives.
    private(set) weak var object: AnyObject?
    private let bits: UnsafeMutablePointer<Value>

    init() {
        bits = .allocate(capacity: 1)
    }

    deinit {
        // What is there belongs to whoever holds the instance, and is not released.
        bits.deallocate()
    }

    /// Refers to a value that is a class instance, or an existential around one.
    func refer(to value: Value, object: AnyObject) {
        self.object = object
        withUnsafeBytes(of: value) { bytes in
            if let start = bytes.baseAddress {
                UnsafeMutableRawPointer(bits).copyMemory(from: start, byteCount: bytes.count)
            }
        }
    }

    /// The value, for which a reference to its object is given up: the value takes it over.
    func value(takingOver object: consuming AnyObject) -> Value {
        _ = Unmanaged.passRetained(object)
        return bits.move()
    }
}
