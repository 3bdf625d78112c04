import MPaaSSupport
package import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The parts of the machine that shaping reads and changes; tests put another value in its place.
package struct ShapingSystem: Sendable {
  package var processes: ProcessRunner
  /// The mark of a process that lives; nil where there is none.
  package var mark: @Sendable (Int32) -> ProcessMark?
  package var namespace: @Sendable () -> String
  package var boot: @Sendable () -> String
  package var isForwarding: @Sendable () -> Bool
  package var setForwarding: @Sendable (Bool) -> Bool
  package var now: @Sendable () -> Int64

  package init(
    processes: ProcessRunner, mark: @escaping @Sendable (Int32) -> ProcessMark?,
    namespace: @escaping @Sendable () -> String, boot: @escaping @Sendable () -> String,
    isForwarding: @escaping @Sendable () -> Bool, setForwarding: @escaping @Sendable (Bool) -> Bool,
    now: @escaping @Sendable () -> Int64
  ) {
    self.processes = processes
    self.mark = mark
    self.namespace = namespace
    self.boot = boot
    self.isForwarding = isForwarding
    self.setForwarding = setForwarding
    self.now = now
  }

  private static let forwarding = "/proc/sys/net/ipv4/ip_forward"

  package static let live = ShapingSystem(
    processes: .live, mark: ProcessMark.init(living:),
    namespace: { (try? FileSystem.target(ofLink: "/proc/thread-self/ns/net")) ?? "" },
    boot: { smallFile("/proc/sys/kernel/random/boot_id") ?? "" },
    isForwarding: { smallFile(forwarding) != "0" },
    setForwarding: { setSmallFile(forwarding, $0 ? "1" : "0") },
    now: { Int64(time(nil)) })

  package var ownMark: ProcessMark { mark(getpid()) ?? ProcessMark(process: getpid(), start: nil) }

  package static var isPrivileged: Bool { geteuid() == 0 }
}

extension ProcessMark {
  /// The process of that number, where it lives.
  init?(living process: Int32) {
    guard process > 0, kill(process, 0) == 0 || errno == EPERM else { return nil }
    self.init(process: process, start: smallFile("/proc/\(process)/stat").flatMap(Self.start))
  }

  /// Field 22 of a line of `/proc/PID/stat`; the second field may hold spaces and parentheses.
  package static func start(in line: String) -> UInt64? {
    guard let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }
}

/// Writes the text of a setting of the kernel; says whether it was taken.
package func setSmallFile(_ path: String, _ text: String) -> Bool {
  do throws(FileError) {
    let file = try OpenFile(path, .writing)
    try file.append(Array(text.utf8))
    return true
  } catch {
    return false
  }
}

/// A small file's text without white space at its ends; nil where it cannot be read.
package func smallFile(_ path: String) -> String? {
  guard let bytes = try? Bytes.reading(path, limit: 1 << 16) else { return nil }
  let text = String(decoding: bytes.array, as: UTF8.self)
  return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
}
