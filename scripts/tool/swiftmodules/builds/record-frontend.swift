// Stands in for `swift-frontend` in a folder of tools (`-tools-directory`), and keeps its arguments. The folders beside that
// of its program name the rest, because build engines pass no environment on: `lib` is that of the toolchain, and `records`
// takes a file for each process. recorder.py compiles it, and reads the files.
//
// In Swift without Foundation, because it starts in a few milliseconds. In the language mode of Swift 5, because it reads
// the global variables of C.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

func stop(_ message: String) -> Never {
    fputs("record-frontend: \(message)\n", stderr)
    exit(70)
}

func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { stop("cannot read \(path)") }
    defer { fclose(file) }
    var found: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    while getline(&line, &size, file) > 0, let line {
        found.append(String(String(cString: line).prefix { $0 != "\n" }))
    }
    return found
}

/// A word of a response file, which is quoted where a shell would split it.
func word(_ quoted: String) -> String {
    quoted.hasPrefix("'") ? String(quoted.dropFirst().dropLast()).replacing("'\\''", with: "'") : quoted
}

/// The arguments, with those that stand in files, which the driver removes.
func whole(_ arguments: [String]) -> [String] {
    let lists = ["-filelist": [], "-primary-filelist": ["-primary-file"]]
    var found: [String] = []
    for argument in arguments {
        if argument.hasPrefix("@") {
            found += whole(lines(of: String(argument.dropFirst())).map(word))
        } else if let option = found.last.flatMap({ lists[$0] }) {
            found += lines(of: argument).flatMap { option + [$0] }
        } else {
            found.append(argument)
        }
    }
    return found
}

let arguments = CommandLine.arguments
let folder = arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(
    separator: "/")
guard let compiler = realpath("\(folder)/lib/../bin/swift-frontend", nil) else {
    stop("\(folder)/lib leads to no compiler")
}
var process = pid_t()
let words = [compiler] + arguments.dropFirst().map { strdup($0) } + [nil]
let failure = posix_spawn(&process, compiler, nil, nil, words, environ)
guard failure == 0 else {
    stop("cannot start \(String(cString: compiler)): \(String(cString: strerror(failure)))")
}
let kept = whole(Array(arguments.dropFirst()))
var status: Int32 = 0
while waitpid(process, &status, 0) < 0 && errno == EINTR {}
var path = "\(folder)/records/XXXXXX".utf8CString.map { $0 }
guard let file = fdopen(mkstemp(&path), "w"), fputs(kept.joined(separator: "\n"), file) >= 0,
    fclose(file) == 0
else {
    stop("cannot write to \(folder)/records")
}
let signal = status & 0x7f
// As the driver reports a compiler that crashed.
if signal != 0 { kill(getpid(), signal) }
exit((status >> 8) & 0xff)
