import DisplayInterface
import Foundation
import Testing

@testable import DisplayImplementation

@MainActor
struct DescriptorTests {
    private func lines(of bytes: [UInt8]) async throws -> [String] {
        let pipe = Pipe()
        // A pipe takes no more than 64 KiB that nobody has read.
        Thread.detachNewThread {
            pipe.fileHandleForWriting.write(Data(bytes))
            try? pipe.fileHandleForWriting.close()
        }
        let input = DescriptorLines(
            descriptor: pipe.fileHandleForReading.fileDescriptor, output: Display.Output(descriptor: -1))
        var lines: [String] = []
        while let line = try await input.nextLine("", isSecure: true) {
            lines.append(line)
        }
        return lines
    }

    @Test func lines_areSplitAtAnyLineEnd_repairedWhereTheyAreNotUTF8_andArriveWhole() async throws {
        #expect(try await lines(of: Array("one\n\ntwo\r\nthree".utf8)) == ["one", "", "two", "three"])
        #expect(try await lines(of: []) == [])
        #expect(try await lines(of: Array("\n".utf8)) == [""])
        #expect(try await lines(of: [0x61, 0xFF, 0x62, 0x0A]) == ["a\u{FFFD}b"])
        let long = String(repeating: "é", count: 5000)
        #expect(try await lines(of: Array("\(long)\nnext\n".utf8)) == [long, "next"])
    }

    @Test func line_longerThanAnyField_isCut_butNotSoFarThatAFieldTakesIt() async throws {
        for character in ["x", "🙂"] {
            let long = String(repeating: character, count: 5 * Display.Field.maximum)
            let lines = try await lines(of: Array("\(long)\nnext\n".utf8))
            #expect(lines.count == 2)
            #expect(lines[0].unicodeScalars.count > Display.Field.maximum)
            #expect(lines[0].utf8.count < 5 * Display.Field.maximum)
            #expect(lines.last == "next")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func line_ofADeviceThatNeverEndsIt_isTheEnd() async throws {
        let descriptor = open("/dev/zero", O_RDONLY)
        defer { close(descriptor) }
        let input = DescriptorLines(descriptor: descriptor, output: Display.Output(descriptor: -1))
        #expect(try await input.nextLine("", isSecure: false) == nil)
    }

    @Test func output_thatNobodyReads_isClosedAndNoSignal() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let output = Display.Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(throws: Display.OutputFailure(code: EPIPE)) { try output.write("text") }
    }

    @Test func device_thatIsNoTerminal_saysSo() {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(throws: TerminalFailure.settings(ENOTTY)) {
            try TerminalDevice(input: descriptor, output: descriptor)
        }
    }
}
