package import MPaaSCrashReport
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CrashReport {
  /// Fills in what the kernel knows of a live process: names, parent, user, memory, times, and the machine.
  ///
  /// - Parameter witness: A thread that lives, where the main thread has ended before the others.
  package mutating func describe(process id: Int32, witness: Int32) {
    incident = Self.newIncident()
    captured = SystemClock.now()
    process.pid = id
    process.path = (try? FileSystem.target(ofLink: "/proc/\(witness)/exe")).map(Self.withoutDeleted) ?? ""
    if let status = ProcessStatus(of: id) {
      process.name = status.name ?? ""
      process.parentPID = status.parent
      process.parentName = status.parent.flatMap { $0 > 0 ? ProcessStatus(of: $0)?.name : nil }
      process.userID = status.user
      process.residentMemory = status.residentMemory ?? ProcessStatus(of: witness)?.residentMemory
    }
    // The kernel keeps 15 bytes of the name; the file has it all.
    let file = process.path.split(separator: "/").last.map(String.init) ?? ""
    if process.name.isEmpty || file.hasPrefix(process.name) { process.name = file }
    application.name = process.name
    describeTimes()
    describeMachine()
  }

  private mutating func describeTimes() {
    let uptime = SystemClock.sinceBoot()
    process.systemUptime = uptime
    guard let started = Self.startSeconds(of: process.pid), started <= uptime else { return }
    let age = uptime - started
    process.uptime = age
    let now = Double(captured.seconds) + Double(captured.nanoseconds) / 1e9
    let launch = now - age
    launched = Timestamp(
      seconds: Int64(launch.rounded(.down)), nanoseconds: UInt32((launch - launch.rounded(.down)) * 1e9))
  }

  /// Seconds from the machine's start to the process': field 22 of `/proc/PID/stat` (`proc_pid_stat(5)`).
  private static func startSeconds(of process: Int32) -> Double? {
    guard let text = ProcFile.text("/proc/\(process)/stat"), let close = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
    return ticks / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
  }

  /// Names this machine: its system from `/etc/os-release`, its kernel, and its processor.
  mutating func describeMachine() {
    system = Self.thisSystem()
    process.cpuType = Self.thisCPU
    process.freeMemory = Self.freeMemory()
  }

  static var thisCPU: String {
    #if arch(x86_64)
      "X86-64"
    #elseif arch(arm64)
      "ARM-64"
    #else
      "unknown"
    #endif
  }

  private static func thisSystem() -> OperatingSystem {
    var system = OperatingSystem()
    let release = osRelease(ProcFile.text("/etc/os-release") ?? ProcFile.text("/usr/lib/os-release") ?? "")
    system.name = release["NAME"] ?? "Linux"
    system.version = release["VERSION_ID"] ?? ""
    system.build = release["BUILD_ID"] ?? ""
    if let kernel = ProcFile.text("/proc/sys/kernel/osrelease") { system.kernel = "Linux " + kernel.trimmed }
    let model = ProcFile.text("/sys/class/dmi/id/product_name")?.trimmed
    system.model = model.flatMap { $0.isEmpty ? nil : $0 }
    return system
  }

  /// Reads `os-release(5)`: `NAME="value"` lines.
  static func osRelease(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "="), line.first != "#" else { continue }
      var value = line[line.index(after: equals)...].trimmed
      if let quote = value.first, quote == "\"" || quote == "'", value.count > 1, value.last == quote {
        value = String(value.dropFirst().dropLast())
      }
      values[line[..<equals].trimmed] = value
    }
    return values
  }

  private static func freeMemory() -> UInt64? {
    guard let text = ProcFile.text("/proc/meminfo") else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 &* 1024 }
  }

  static func withoutDeleted(_ path: String) -> String {
    path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
  }
}
