import MPaaSJSON
import MPaaSSupport

/// The bytes of a recording that grows: after each entry the file is whole, and the next one only replaces its end.
///
/// Entries are masked before they become bytes, so that no secret reaches a file, not for a moment.
///
/// ```swift
/// var recorder = HARRecorder(creator: "mpaas", version: "0.2.0")
/// write(recorder.begin, at: 0)
/// let (bytes, place) = recorder.append(exchange)
/// write(bytes, at: place)
/// ```
package struct HARRecorder: Sendable {
  private let head: [UInt8]
  private static let tail = Array("\n    ]\n  }\n}\n".utf8)
  private let masker: Masker
  /// The place behind the last entry.
  private var place: UInt64
  /// The number of entries so far.
  package private(set) var count = 0

  package init(creator: String, version: String, rules: MaskRules = .usual) {
    masker = Masker(rules)
    // The empty document, whose last lines are those that close it.
    let whole = HARFile(creator: creator, version: version).bytes
    let end = Array("]\n  }\n}\n".utf8)
    head = whole.suffix(end.count) == end[...] ? Array(whole.dropLast(end.count)) : whole
    place = UInt64(head.count)
  }

  /// The bytes of a recording without entries.
  package var begin: [UInt8] { head + Self.tail }

  /// The bytes of one more entry with the new end of the file, and the place where they belong.
  package mutating func append(_ exchange: HARExchange) -> (bytes: [UInt8], place: UInt64) {
    append(HAREntry(exchange))
  }

  /// The bytes of one more entry with the new end of the file, and the place where they belong.
  package mutating func append(_ entry: HAREntry) -> (bytes: [UInt8], place: UInt64) {
    var bytes = Array((count == 0 ? "\n      " : ",\n      ").utf8)
    masker.entry(entry).node.append(to: &bytes, depth: 3)
    let start = place
    place += UInt64(bytes.count)
    count += 1
    return (bytes + Self.tail, start)
  }
}
