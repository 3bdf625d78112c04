import Foundation

/// The times at which a thread gave the processor up by itself, since it waited for a lock, a file or a clock.
public enum ThreadWaits {
  /// Those of this thread until now; always 0 where the system does not tell.
  public static var count: Int {
    // Source: proc(5), /proc/pid/status.
    let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
