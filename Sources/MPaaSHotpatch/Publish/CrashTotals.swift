package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Sessions and crashes by patch and version, as an app's statistics count them: what the automatic halt goes by.
///
/// ```json
/// {"baseline":{"sessions":100000,"crashes":200},
///  "patches":[{"patch":"cart","version":"3","sessions":1200,"crashes":30}]}
/// ```
/// The numbers are totals since the version was published, so that the same file may be told twice. `baseline` counts
/// sessions without any patch; `"baseline":{"per_million":2000}` tells the rate itself. A patch may name its `channel`.
package struct CrashTotals: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package let patch: String
    package let version: DottedVersion
    package let channel: String?
    package let sessions: Int
    package let crashes: Int
  }

  /// Of a million sessions without a patch, how many crash.
  package let baseline: Int
  package let entries: [Entry]

  /// - Throws: `TrustError` `crash-totals-malformed` with the member that cannot be so.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard let value = try? JSONValue(reading: bytes) else { throw Self.error("JSON") }
    do throws(TrustError) {
      var fields = try MetadataFields(value, path: "statistics")
      baseline = try Self.baseline(try MetadataFields(fields.optional("baseline"), path: "baseline"))
      var entries: [Entry] = []
      for value in try fields.values("patches") { entries.append(try Entry(value)) }
      self.entries = entries
    } catch {
      throw Self.error(error.values["field"] ?? "")
    }
  }

  private static func baseline(_ fields: MetadataFields) throws(TrustError) -> Int {
    var fields = fields
    if fields.rest["per_million"] != nil {
      let rate = try fields.integer("per_million", from: 0)
      try fields.require(rate <= 1_000_000, "per_million")
      return rate
    }
    let sessions = try fields.integer("sessions")
    let crashes = try fields.integer("crashes", from: 0)
    try fields.require(crashes <= sessions, "crashes")
    // One crash more, so that few sessions do not make a baseline of nothing.
    return min(1_000_000, Int((Double(crashes) + 1) / (Double(sessions) + 1) * 1_000_000))
  }

  private static func error(_ field: String) -> TrustError { TrustError(.crashTotalsMalformed, ["field": field]) }
}

extension CrashTotals.Entry {
  fileprivate init(_ value: JSONValue) throws(TrustError) {
    var fields = try MetadataFields(value, path: "patches")
    patch = try fields.string("patch")
    guard let version = DottedVersion(try fields.string("version")) else { throw fields.problem("version") }
    self.version = version
    channel = fields.rest["channel"] == nil ? nil : try fields.string("channel")
    sessions = try fields.integer("sessions", from: 0)
    crashes = try fields.integer("crashes", from: 0)
    try fields.require(crashes <= sessions, "crashes")
  }
}

extension RolloutDocument {
  /// Takes totals in and halts what crashes more often.
  ///
  /// - Returns: The versions that this halted.
  package mutating func record(_ totals: CrashTotals, reason: String, at time: Date) -> [Rollout] {
    var halted: [Rollout] = []
    for entry in totals.entries {
      for index in rollouts.indices
      where rollouts[index].patch == entry.patch && rollouts[index].version == entry.version
        && (entry.channel == nil || rollouts[index].channel == entry.channel)
      {
        let isHalted = record(
          sessions: entry.sessions, crashes: entry.crashes, baseline: totals.baseline, of: index, reason: reason,
          at: time)
        if isHalted { halted.append(rollouts[index]) }
      }
    }
    return halted
  }
}

extension TrustError.Code {
  package static let crashTotalsMalformed = malformed("crash-totals-malformed")
}
