import CPerformance
import MPaaSBase

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The facts about program and machine that tell a run from the next.
enum RunSurroundings {
  static func notes(version: String) -> RunNotes {
    var notes = RunNotes()
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    notes.began = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    notes.version = version
    notes.system = system
    notes.boot = bootID
    notes.kills = mp_run_group_kills()
    #if os(Linux)
      var status = stat()
      if stat("/proc/self/exe", &status) == 0 {
        notes.inode = UInt64(status.st_ino)
        notes.changed =
          UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000 &+ UInt64(status.st_mtim.tv_nsec)
      }
      notes.isTraced = isTraced
    #endif
    return notes
  }

  /// The name and version of the system's kernel.
  private static var system: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "" }
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(utf8: UnsafeRawBufferPointer(rebasing: $0.prefix { $0 != 0 })) }
    }
    return text(names.sysname) + " " + text(names.release)
  }

  /// A text that is another one after each start of the machine.
  static var bootID: String {
    #if canImport(Darwin)
      var time = timeval()
      var size = MemoryLayout<timeval>.size
      guard sysctlbyname("kern.boottime", &time, &size, nil, 0) == 0 else { return "" }
      return "\(time.tv_sec)"
    #else
      return line("/proc/sys/kernel/random/boot_id", after: "") ?? ""
    #endif
  }

  /// Tells whether a debugger is attached to this process, where /proc says it.
  static var isTraced: Bool { line("/proc/self/status", after: "TracerPid:").map { $0 != "0" } ?? false }

  /// The rest of the first line with a beginning, without blanks around it.
  private static func line(_ path: String, after beginning: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 1024)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(beginning) else { continue }
      return String(text.dropFirst(beginning.count).filter { !$0.isWhitespace })
    }
    return nil
  }
}
