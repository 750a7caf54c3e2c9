import DisplayInterface
import DisplayTesting
import Foundation
import Testing

@testable import DisplayImplementation

/// Faults in a program that has a terminal's screen.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
    enum Fault: String, CaseIterable, Codable, Sendable {
        case brokenPrecondition, abort, badAddress

        /// The signals that report the fault: processors differ.
        var signals: [Int32] {
            switch self {
            case .brokenPrecondition: [SIGILL, SIGTRAP]
            case .abort: [SIGABRT]
            case .badAddress: [SIGSEGV, SIGBUS]
            }
        }

        func happen() {
            switch self {
            case .brokenPrecondition: fatalError("a fault")
            case .abort: Foundation.abort()
            case .badAddress: UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func fault_leavesTheScreen_andEndsTheProgramAsEver(fault: Fault) async throws {
        let window = try PseudoTerminal()
        let settings = window.settings
        let path = try #require(ttyname(window.programSide).map { String(cString: $0) })
        let result = await #expect(processExitsWith: .failure) {
            [path = path as String, fault = fault as Fault] in
            let terminal = open(path, O_RDWR | O_NOCTTY)
            let device = try TerminalDevice(input: terminal, output: terminal)
            TerminalSignals.watch(device, storing: Display.Ending(), notifying: nil)
            try device.begin(.screen)
            // Drawn only while the program has the screen.
            try device.draw("\u{1B}[1m")
            fault.happen()
        }
        let status = try #require(result).exitStatus
        #expect(fault.signals.contains { status == .signal($0) })
        try await window.wait(for: "what was drawn") { $0.styles == ["[1m", "[0m"] }
        try await window.wait(for: "the old screen") {
            !$0.isAlternate && $0.showsCursor && !$0.reportsMouse
        }
        #expect(window.settings == settings)
    }
}
