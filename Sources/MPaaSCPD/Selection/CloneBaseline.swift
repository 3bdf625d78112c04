package import MPaaSSupport

package enum CPDDomain {}
/// An error of the search for clones.
package typealias CPDError = CodedError<CPDDomain>

extension CPDError.Code {
  package static var baselineMalformed: Self { malformed("cpd-baseline-malformed") }
  package static var revisionUnknown: Self { Self("cpd-revision-unknown", exit: .inputMissing) }
  package static var gitMissing: Self { Self("cpd-git-missing", exit: .unreachable) }
}

/// Clones that are known: their names, and at how many places each stood.
///
/// The name is that of the tokens, so that a clone that was moved is known, and one more copy is new.
package struct CloneBaseline: Sendable, Equatable {
  package private(set) var counts: [String: Int]

  package init(_ report: CloneReport) {
    counts = Dictionary(report.clones.map { ($0.clone.key, $0.spans.count) }, uniquingKeysWith: max)
  }

  package init(path: String) throws {
    let bytes = try Bytes.reading(path, limit: 1 << 28)
    let value = try withExtendedLifetime(bytes) { () throws -> JSONValue in
      do {
        return try JSONValue(reading: bytes.buffer)
      } catch {
        throw CPDError(.baselineMalformed, ["file": path], at: .file(path))
      }
    }
    guard value.object?["version"]?.integer(Int.self) == 1, let clones = value.object?["clones"]?.object else {
      throw CPDError(.baselineMalformed, ["file": path], at: .file(path))
    }
    counts = [:]
    for (key, count) in clones.map({ ($0.key, $0.value) }) {
      guard let count = count.integer(Int.self) else {
        throw CPDError(.baselineMalformed, ["file": path], at: .file(path))
      }
      counts[key] = count
    }
  }

  /// The file, a clone on each line, so that differences of versions can be read.
  package var text: String {
    let rows = counts.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \($0.value)" }
    return "{\n  \"version\": 1,\n  \"clones\": {\n" + rows.joined(separator: ",\n") + "\n  }\n}\n"
  }

  /// Tells whether a clone is new, or stands at more places than were known.
  package func isNew(_ found: FoundClone) -> Bool { found.spans.count > counts[found.clone.key] ?? 0 }
}
