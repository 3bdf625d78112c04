package import MPaaSPush
package import MPaaSSupport
package import MPaaSTerminal

/// The outcomes of notifications that were sent.
package struct PushReport: Presentable {
  package struct Failure: Codable, Sendable, Equatable {
    package let token: String
    /// The provider's status; 0 where it was never asked.
    package let status: Int
    package let reason: String
    /// The millisecond since 1970 at which APNs last knew that the token had ended.
    package let timestamp: UInt64?
  }

  /// The number of notifications that the provider has taken; with `isDryRun` of those that it could be given.
  package private(set) var accepted = 0
  package private(set) var failed: [Failure] = []
  /// The tokens whose notifications were sent and never answered.
  package private(set) var unknownTokens: [String] = []
  package let isDryRun: Bool

  package init(isDryRun: Bool = false) { self.isDryRun = isDryRun }

  package mutating func add(_ outcome: PushOutcome, for token: String) {
    switch outcome {
    case .accepted: accepted += 1
    case .failed(let failure):
      failed.append(
        Failure(token: token, status: failure.status, reason: failure.reason, timestamp: failure.timestamp))
    case .unsent(let reason): failed.append(Failure(token: token, status: 0, reason: reason, timestamp: nil))
    case .unknown: unknownTokens.append(token)
    }
  }

  package var exit: ExitStatus { failed.isEmpty && unknownTokens.isEmpty ? .done : .negative }

  private enum CodingKeys: String, CodingKey {
    case accepted, failed, unknown
    case unknownTokens = "unknown_tokens"
    case isDryRun = "dry_run"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(accepted, forKey: .accepted)
    try container.encode(failed, forKey: .failed)
    try container.encode(unknownTokens.count, forKey: .unknown)
    try container.encode(unknownTokens, forKey: .unknownTokens)
    try container.encode(isDryRun, forKey: .isDryRun)
  }

  package func document(_ catalogue: Catalogue) -> Document {
    let key = isDryRun ? "text.push-checked" : "text.push-sent"
    let counts = ["accepted": "\(accepted)", "failed": "\(failed.count)", "unknown": "\(unknownTokens.count)"]
    var document: Document = [.line(StyledText(catalogue.text(key, counts), exit == .done ? .good : .warning))]
    let rows = failed.map { ($0.token, "\($0.status)", $0.reason) } + unknownTokens.map { ($0, "–", "?") }
    guard !rows.isEmpty else { return document }
    var table = Table(
      columns: ["token", "status", "reason"].map { Table.Column(catalogue.text("text.push-\($0)")) })
    for (token, status, reason) in rows {
      table.rows.append([StyledText(token), StyledText(status), StyledText(reason, .warning)])
    }
    document.table(table)
    return document
  }
}
