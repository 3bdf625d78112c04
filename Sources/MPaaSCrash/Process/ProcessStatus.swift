package import MPaaSCrashReport
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The facts of `/proc/PID/status` about a process or a thread (`proc_pid_status(5)`).
package struct ProcessStatus {
  private let fields: [Substring: Substring]

  /// Reads the status of a process or thread; nil where there is none of that number.
  package init?(of id: Int32) {
    guard let text = ProcFile.text("/proc/\(id)/status") else { return nil }
    self.init(text)
  }

  init(_ text: String) {
    var fields: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon]] = line[line.index(after: colon)...]
    }
    self.fields = fields
  }

  private func number<Value: FixedWidthInteger>(_ name: Substring, radix: Int = 10) -> Value? {
    fields[name]?.split(whereSeparator: \.isWhitespace).first.flatMap { Value($0, radix: radix) }
  }

  package var name: String? { fields["Name"]?.trimmed }
  /// The process that a thread belongs to.
  package var process: Int32? { number("Tgid") }
  package var parent: Int32? { number("PPid") }
  /// The real user.
  var user: UInt32? { number("Uid") }
  /// Resident memory in bytes.
  package var residentMemory: UInt64? {
    number("VmRSS").map { (kibibytes: UInt64) in kibibytes.multipliedReportingOverflow(by: 1024).partialValue }
  }
  package var threadCount: Int? { number("Threads") }
  /// The process that traces this one already; 0 for none.
  var tracer: Int32? { number("TracerPid") }
  /// `Z` for a process that has ended and was not waited for, `X` for a dead one.
  var state: Character? { fields["State"]?.trimmed.first }

  /// Tells whether it is a zombie or dead.
  package var hasEnded: Bool { state == "Z" || state == "X" }

  /// The process that this program is.
  package static var own: Int32 { getpid() }

  /// The actions of a process on a signal.
  enum Disposition { case standard, caught, ignored }

  func disposition(of signal: Int32) -> Disposition {
    guard (1...64).contains(signal) else { return .standard }
    let bit = UInt64(1) << UInt64(signal - 1)
    let caught: UInt64 = number("SigCgt", radix: 16) ?? 0
    let ignored: UInt64 = number("SigIgn", radix: 16) ?? 0
    return caught & bit != 0 ? .caught : ignored & bit != 0 ? .ignored : .standard
  }

  /// The numbers of a process' threads, lowest first.
  package static func threads(of process: Int32) -> [Int32] {
    ((try? FileSystem.names(in: "/proc/\(process)/task")) ?? []).compactMap { Int32($0) }.sorted()
  }

  /// The thread to ask about a process' memory: the main one, unless that ended before the others.
  package static func witness(of process: Int32) -> Int32 {
    guard let status = ProcessStatus(of: process), status.hasEnded else { return process }
    return threads(of: process).first { ProcessStatus(of: $0)?.hasEnded == false } ?? process
  }

  /// A thread's name, at most 15 bytes.
  package static func threadName(_ thread: Int32, of process: Int32) -> String? {
    ProcFile.text("/proc/\(process)/task/\(thread)/comm").map { $0.last == "\n" ? String($0.dropLast()) : $0 }
  }
}

/// Points in time of this machine.
package enum SystemClock {
  package static func now() -> CrashReport.Timestamp {
    let time = read(CLOCK_REALTIME)
    return CrashReport.Timestamp(seconds: Int64(time.tv_sec), nanoseconds: UInt32(clamping: time.tv_nsec))
  }

  /// Seconds since the machine started, sleep included where the kernel counts it.
  package static func sinceBoot() -> Double {
    #if os(Linux)
      let time = read(CLOCK_BOOTTIME)
    #else
      let time = read(CLOCK_MONOTONIC)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  package static func monotonicNanoseconds() -> UInt64 {
    let time = read(CLOCK_MONOTONIC)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
