import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension PushCampaignCounts {
  /// Those that need no more work.
  var asked: Int64 { max(0, audience - waiting - claimed) }
}

extension PushCampaignState {
  /// The state in words.
  func text(_ catalogue: Catalogue) -> StyledText {
    let role: TextRole =
      switch self {
      case .done: .good
      case .paused: .warning
      case .cancelled, .scheduled: .faint
      case .preparing, .running: .emphasis
      }
    return StyledText(catalogue.text("text.push-campaign-\(rawValue)"), role)
  }
}

/// Campaigns, a line each.
struct PushCampaignList: Presentable {
  let campaigns: [PushCampaignEntry]
  let cursor: String?

  func document(_ catalogue: Catalogue) -> Document {
    guard !campaigns.isEmpty else { return [.line(StyledText(catalogue.text("text.push-no-campaigns"), .faint))] }
    let numbers: Set<String> = ["audience", "accepted", "failed", "unknown"]
    let columns = ["campaign", "state", "audience", "accepted", "failed", "unknown", "topic"].map {
      Table.Column(catalogue.text("text.push-\($0)"), isNumeric: numbers.contains($0))
    }
    let rows = campaigns.map { entry in
      let counts = entry.counts
      return [StyledText(entry.id, .emphasis), entry.state.text(catalogue)]
        + [counts.audience, counts.accepted, counts.failed, counts.unknown].map { StyledText(String($0), .number) }
        + [StyledText(entry.topic)]
    }
    var document: Document = [.table(Table(columns: columns, rows: rows))]
    if let cursor { document.line(StyledText(catalogue.text("text.push-more", ["cursor": cursor]), .faint)) }
    return document
  }
}

/// A campaign with its numbers.
struct PushCampaignView: Presentable {
  let entry: PushCampaignEntry

  func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document { Document(lines: Self.lines(entry, catalogue)) }

  static func lines(_ entry: PushCampaignEntry, _ catalogue: Catalogue) -> [StyledText] {
    var head = StyledText(entry.id, .emphasis)
    head.append("  ")
    head += entry.state.text(catalogue)
    if let problem = entry.problem { head.append("  " + problem, .warning) }
    let counts = entry.counts
    let values = [
      "audience": "\(counts.audience)", "waiting": "\(counts.waiting + counts.claimed)",
      "accepted": "\(counts.accepted)", "failed": "\(counts.failed)", "unknown": "\(counts.unknown)",
    ]
    var lines = [head, StyledText(catalogue.text("text.push-counts", values))]
    if entry.state == .scheduled {
      lines.append(
        StyledText(catalogue.text("text.push-starts", ["time": MomentText.utc(entry.starts)]), .faint))
    } else if let resumes = entry.resumes, entry.state == .running, entry.problem != nil || counts.claimed == 0 {
      lines.append(StyledText(catalogue.text("text.push-resumes", ["time": MomentText.utc(resumes)]), .faint))
    }
    return lines
  }
}

/// A campaign as it was created.
struct PushCampaignDetailView: Presentable {
  let detail: PushCampaignDetail

  private enum CodingKeys: String, CodingKey { case campaign, definition }

  private var definition: JSONValue {
    Array(detail.definition.utf8).withUnsafeBytes { (try? JSONValue(reading: $0)) ?? .string(detail.definition) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(detail.campaign, forKey: .campaign)
    try container.encode(definition, forKey: .definition)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let definition = detail.definition.split(whereSeparator: \.isNewline).map { StyledText(String($0), .faint) }
    return Document(lines: PushCampaignView.lines(detail.campaign, catalogue) + definition)
  }
}

/// A campaign that was checked and not created.
struct PushCampaignCheckView: Presentable {
  let check: PushCampaignCheck

  func encode(to encoder: any Encoder) throws { try check.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    let provider = check.provider == "apns" ? "APNs" : "FCM"
    let values = ["id": check.id, "audience": "\(check.audience)", "provider": provider]
    let columns = ["language", "bytes", "limit", "installations"].map {
      Table.Column(catalogue.text("text.push-check-\($0)"), isNumeric: $0 != "language")
    }
    let rows = check.payloads.map { payload in
      [StyledText(payload.language.isEmpty ? "–" : payload.language, .emphasis)]
        + [payload.bytes, payload.limit, payload.installations].map { StyledText(String($0), .number) }
    }
    return [
      .line(StyledText(catalogue.text("text.push-campaign-good", values), .good)),
      .table(Table(columns: columns, rows: rows)),
    ]
  }
}

/// A campaign's numbers, and outcomes of installations.
struct PushStatusView: Presentable {
  let entry: PushCampaignEntry
  var deliveries: [PushDelivery] = []
  /// The word by which the next outcomes are asked for.
  var cursor: String?
  var hasMore = false

  private enum CodingKeys: String, CodingKey {
    case campaign, deliveries, cursor
    case hasMore = "has_more"
  }

  var exit: ExitStatus { entry.counts.failed + entry.counts.unknown > 0 ? .negative : .done }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entry, forKey: .campaign)
    try container.encode(deliveries, forKey: .deliveries)
    try container.encodeIfPresent(cursor, forKey: .cursor)
    try container.encode(hasMore, forKey: .hasMore)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: PushCampaignView.lines(entry, catalogue))
    if !deliveries.isEmpty {
      let columns = ["installation", "outcome", "status", "reason"].map {
        Table.Column(catalogue.text("text.push-\($0)"), isOptional: ["status", "reason"].contains($0))
      }
      let rows = deliveries.map { delivery in
        [
          StyledText(delivery.installation),
          StyledText(catalogue.text("text.push-delivery-\(delivery.state.rawValue)"), delivery.state.role),
          StyledText(delivery.status.map { String($0) } ?? ""), StyledText(delivery.reason ?? ""),
        ]
      }
      document.table(Table(columns: columns, rows: rows))
    }
    if let cursor {
      document.line(StyledText(catalogue.text("text.push-more", ["cursor": cursor]), .faint))
    } else if hasMore {
      document.line(StyledText(catalogue.text("text.push-more-outcomes"), .faint))
    }
    return document
  }
}

extension PushDeliveryState {
  fileprivate var role: TextRole {
    switch self {
    case .accepted: .good
    case .failed, .unknown: .warning
    case .waiting, .claimed: .faint
    }
  }
}
