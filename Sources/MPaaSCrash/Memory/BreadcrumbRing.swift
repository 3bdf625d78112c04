import MPaaSCrashReport

/// The breadcrumbs that a program with our CrashReporter leaves, read from outside.
///
/// They lie in a mapped file `crash-….crumbs`, laid out as `CCrashHandler/breadcrumbs.c` writes them: how many were
/// left so far, then 128 entries of a turn, seconds, nanoseconds and 112 bytes of text.
enum BreadcrumbRing {
  static let count: UInt64 = 128
  private static let textSize = 112
  private static let entrySize: UInt64 = 136
  static let size: UInt64 = 8 + count * entrySize

  /// Tells whether a mapping is such a ring.
  static func isRing(path: String, size: UInt64) -> Bool {
    // The reporter's handler takes the file away once its own record is written.
    let name = CrashReport.withoutDeleted(path).split(separator: "/").last ?? ""
    return name.hasPrefix("crash-") && name.hasSuffix(".crumbs") && size >= Self.size
  }

  /// The address where a live process keeps its ring.
  static func address(in process: Int32) -> UInt64? {
    guard let maps = ProcFile.text("/proc/\(process)/maps"), maps.contains(".crumbs") else { return nil }
    for line in maps.split(separator: "\n") where line.contains(".crumbs") {
      let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
      let path = line.firstIndex(of: "/").map { String(line[$0...]) } ?? ""
      if bounds.count == 2, bounds[0] < bounds[1], isRing(path: path, size: bounds[1] - bounds[0]) { return bounds[0] }
    }
    return nil
  }

  /// The entries, oldest first; those that were being written are left out.
  static func read(at address: UInt64, _ memory: any TargetMemory) -> [CrashReport.Breadcrumb] {
    guard let end: UInt64 = memory.number(at: address), end < 1 << 62 else { return [] }
    var breadcrumbs: [CrashReport.Breadcrumb] = []
    for number in (end > count ? end - count : 0)..<end {
      let entry = address &+ 8 &+ (number % count) * entrySize
      guard let turn: UInt64 = memory.number(at: entry), turn == number * 2 + 2,
        let seconds: Int64 = memory.number(at: entry &+ 8), let nanoseconds: UInt32 = memory.number(at: entry &+ 16),
        let text = memory.string(at: entry &+ 20, limit: textSize)
      else { continue }
      breadcrumbs.append(.init(time: .init(seconds: seconds, nanoseconds: nanoseconds), name: text))
    }
    return breadcrumbs
  }
}
