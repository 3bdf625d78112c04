import MPaaSLock
import MPaaSSupport

/// The zones of a system by their names, each read once.
package final class TimeZoneTable: Sendable {
  /// The most names that are kept: there are about 600.
  private static let most = 2000

  private let folder: String
  private let known = Lock<[String: TimeZoneRules?]>([:])

  /// - Parameter folder: The folder of files of the format TZif.
  package init(_ folder: String = "/usr/share/zoneinfo") { self.folder = folder }

  /// The rules of a zone; nil where the system knows none of that name.
  package func rules(_ name: String) -> TimeZoneRules? {
    if let fixed = TimeZoneRules(fixed: name) { return fixed }
    guard TimeZoneRules.isName(name) else { return nil }
    if let found = known.withLock({ $0[name] }) { return found }
    let bytes = try? Bytes.reading("\(folder)/\(name)", limit: 1 << 20)
    let rules = bytes.flatMap { TimeZoneFile.rules($0.array) }
    known.withLock { known in
      if known.count >= Self.most { known.removeAll() }
      known[name] = .some(rules)
    }
    return rules
  }
}
