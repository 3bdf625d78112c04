import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Times to come, as options name them.
extension Date {
  /// The time that lies `30d`, `12h` or `8w` after `start`, in whole seconds; nil where `text` is nothing of the kind.
  package init?(_ text: String, after start: Date) {
    let units: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]
    guard let last = text.last, let unit = units[last], let count = Int(text.dropLast()), (0...100_000).contains(count)
    else { return nil }
    self = start.addingTimeInterval(Double(count) * unit).wholeSeconds
  }

  /// The start of a day, `2026-03-01`, or a time, `2026-03-01T12:00:00Z`, both in UTC; nil where `text` is neither.
  package init?(utc text: String) {
    guard let time = MetadataTime.date(text.utf8.count == 10 ? text + "T00:00:00Z" : text) else { return nil }
    self = time
  }

  /// The end of a key's use as users name it: `365d` or `52w` from now, a day or a time in UTC.
  ///
  /// - Throws: `Diagnostic` `key-expiry-malformed`; `key-expiry-past` for a day or a time that is over.
  package init(expiry text: String, now: Date) throws {
    if let time = Date(text, after: now) {
      self = time
      return
    }
    guard let time = Date(utc: text) else {
      throw Diagnostic("key-expiry-malformed", ["value": text], exit: .usage)
    }
    guard time > now else { throw Diagnostic("key-expiry-past", ["value": text], exit: .usage) }
    self = time
  }

  /// The time without the part of a second, as records and manifests have it.
  package var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
