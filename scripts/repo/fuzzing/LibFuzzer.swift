import Foundation

// The entry point that libFuzzer calls for each input; it brings its own `main`.

// libFuzzer calls on the program's first thread.
private let attempt = MainActor.assumeIsolated { try? Attempt() }

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let attempt else { fatalError("the fuzzer's own routes are wrong") }
    do {
        _ = try attempt.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        // A trap is how libFuzzer learns of a finding; it keeps the input.
        fatalError("\((error as? Violation)?.message ?? "\(error)")")
    }
    return 0
}
