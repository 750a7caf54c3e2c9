// Stands in for `swiftc` (through SWIFT_EXEC), passes everything through, and keeps what the compiler reports: the
// parseable output of jobs that compile whole targets, with the moments when its pieces came, and the arguments and times
// of each run. Reads SWIFTMODULES_SWIFTC (the real compiler) and SWIFTMODULES_RECORDS (a folder). recorder.py compiles it
// and reads what it keeps.
//
// In Swift, because a shell has no clock, and because it starts in a few milliseconds, without Foundation. In the language
// mode of Swift 5, because it reads the global variables of C.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

func stop(_ message: String) -> Never {
    fputs("record-swiftc: \(message)\n", stderr)
    exit(70)
}

func variable(_ name: String) -> String {
    guard let value = getenv(name) else { stop("\(name) is not set") }
    return String(cString: value)
}

/// Microseconds since 1970: the clock that Python reads as `time.time()`.
func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1_000
}

/// Writes a whole file in the folder of records.
func keep(_ name: String, _ text: String) {
    guard let file = fopen("\(records)/\(name)", "w") else { stop("cannot write \(records)/\(name)") }
    fputs(text, file)
    fclose(file)
}

/// Starts the compiler, with its standard error in the pipe where there is one.
func start(_ compiler: String, _ arguments: [String], _ pipe: (read: Int32, write: Int32)?) -> pid_t {
    #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
    #else
        var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    if let pipe {
        posix_spawn_file_actions_adddup2(&actions, pipe.write, STDERR_FILENO)
        posix_spawn_file_actions_addclose(&actions, pipe.read)
        posix_spawn_file_actions_addclose(&actions, pipe.write)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([compiler] + arguments).map { strdup($0) }
    words.append(nil)
    var process = pid_t()
    let status = posix_spawn(&process, compiler, &actions, nil, words, environ)
    guard status == 0 else { stop("cannot start \(compiler): \(String(cString: strerror(status)))") }
    return process
}

/// Passes on everything that comes through the pipe, keeps it, and returns when each piece had come.
func passOn(_ source: Int32, to file: Int32) -> String {
    let size = 1 << 16
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
    defer { buffer.deallocate() }
    var pieces = ""
    var total = 0
    while true {
        let count = read(source, buffer, size)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return pieces }
        total += count
        pieces += "piece \(now()) \(total)\n"
        for destination in [STDERR_FILENO, file] {
            var written = 0
            while written < count {
                let more = write(destination, buffer + written, count - written)
                guard more > 0 else { break }
                written += more
            }
        }
    }
}

// SwiftPM's own files, among them the other ends of the pipes to it: with these, nothing here would end after it was
// killed. Not the one on which its build engine waits for messages: where that is closed, it asks for them without a pause,
// and takes a core from the compiler.
let messagesToEngine = getenv("LLBUILD_CONTROL_FD").flatMap { Int32(String(cString: $0)) }
for file in Int32(3)..<1024 where file != messagesToEngine { close(file) }

let compiler = variable("SWIFTMODULES_SWIFTC")
let records = variable("SWIFTMODULES_RECORDS")
let arguments = Array(CommandLine.arguments.dropFirst())
let name = String(getpid())
let began = now()
var pieces = ""
let process: pid_t
if arguments.contains("-parseable-output") {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { stop("no pipe") }
    let messages = open("\(records)/\(name).messages", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard messages >= 0 else { stop("cannot write to \(records)") }
    process = start(compiler, arguments, (ends[0], ends[1]))
    close(ends[1])
    pieces = passOn(ends[0], to: messages)
} else {
    process = start(compiler, arguments, nil)
}
var status: Int32 = 0
while waitpid(process, &status, 0) < 0 && errno == EINTR {}
let finished = now()
keep("\(name).arguments", arguments.map { $0 + "\n" }.joined())
keep("\(name).times", "run \(began) \(finished)\n\(pieces)")
let signal = status & 0x7f
exit(signal == 0 ? (status >> 8) & 0xff : 128 + signal)
