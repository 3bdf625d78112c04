package import CommandKit
import MPaaSCrashReport
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Context {
  private static let scales: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]

  /// Seconds since 1970 of a point in time as users name it: `2026-03-01`, `2026-03-01T12:00:00Z`, `7d` or `12h` ago.
  package func seconds(_ text: String) throws -> Int64 {
    if let unit = text.last, let scale = Self.scales[unit],
      let number = Int64(text.dropLast()), (0...1_000_000).contains(number)
    {
      return Int64(now().timeIntervalSince1970) - number * scale
    }
    // Days and minutes are told without what is below them.
    let colons = text.count { $0 == ":" }
    let whole = colons == 0 ? text + " 00:00:00" : colons == 1 && !text.hasSuffix("Z") ? text + ":00" : text
    guard let time = CrashReport.Timestamp(whole) else {
      throw Diagnostic("time-malformed", ["value": text], exit: .usage)
    }
    return time.seconds
  }
}
