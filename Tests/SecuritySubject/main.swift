// The program that tests attack: it looks at itself, and says what it finds.
//
//   SecuritySubject                     reads words from standard input, one a line, and answers until `end`
//   SecuritySubject check               one check, and its findings
import CSecurity
import MPaaSSecurity

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a line at once, for a reader who waits for it.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func say(_ findings: [Finding]) {
  for finding in findings {
    say("\(finding.kind.rawValue)\t\(finding.confidence.rawValue)\t\(finding.name ?? "-")\t\(finding.evidence)")
  }
}

func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// A function that only the app may call; libraries of tests find it by its name.
@_cdecl("subject_secret") @inline(never)
public func secret() -> Int32 { Security.callerIsForeign() ? 1 : 0 }

typealias Caller = @convention(c) (@convention(c) () -> Int32) -> Int32

/// Has a library's function call ours.
func called(by library: String) -> String {
  guard let handle = dlopen(library, RTLD_NOW), let symbol = dlsym(handle, "call_it") else { return "no library" }
  return unsafeBitCast(symbol, to: Caller.self)(secret) == 1 ? "foreign" : "own"
}

/// The microseconds that all checks but the text take: the least and the middle of `count` times.
func time(_ count: Int) -> String {
  var times = (0..<count).map { _ in
    let start = nanoseconds()
    _ = Security.check()
    return nanoseconds() - start
  }
  times.sort()
  return "\(times[0] / 1000) \(times[count / 2] / 1000)"
}

func answer(_ words: [String]) {
  switch words[0] {
  case "check": say(Security.check(words.count > 1 ? .all : .standard))
  case "allow": say("\(Security.allow(image: words[1]))")
  case "function":
    let expected = words.count > 2 ? Security.Origin.library(words[2]) : nil
    switch Security.replacement(of: words[1], expected: expected) {
    case .none: say("none")
    case .replaced(let findings): say(findings)
    case .unknown(let reason): say("unknown \(reason)")
    }
  case "load": say(dlopen(words[1], RTLD_NOW) == nil ? String(cString: dlerror()) : "loaded")
  case "caller": say(words.count > 1 ? called(by: words[1]) : secret() == 1 ? "foreign" : "own")
  case "debugger": say(Security.debugger().map { "\($0.name ?? "-") \($0.isOwn)" } ?? "none")
  case "tracer":
    do { try Security.startTracer() } catch { say("\(error)") }
  case "untracer": Security.stopTracer()
  case "text":
    switch Security.textDigest() {
    case .same(let digest): say("same \(digest)")
    case .different(let place): say("different \(place.page) \(place.fileOffset)")
    case .memoryOnly: say("memory")
    case .unknown: say("unknown")
    }
  case "name":
    let isOwn = words[1].withCString { Security.isOwnNotification(name: words[1], address: UnsafeRawPointer($0)) }
    say("\(Security.isOwnNotification(name: "subject.payment")) \(isOwn)")
  case "time": say(time(Int(words[1]) ?? 1))
  default: say("unknown word")
  }
}

if CommandLine.arguments.count > 1 {
  answer(Array(CommandLine.arguments.dropFirst()))
} else {
  say("ready \(getpid())")
  while let line = readLine(), line != "end" {
    let words = line.split(separator: " ").map(String.init)
    if !words.isEmpty { answer(words) }
    say("done")
  }
}
