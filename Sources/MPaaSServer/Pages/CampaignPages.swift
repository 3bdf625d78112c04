import MPaaSProtocol
import MPaaSTerminal

/// The pages of campaigns, as functions of what they show.
struct CampaignPages: Sendable {
  let frame: PageFrame

  /// The outcomes that a page shows.
  struct Outcomes: Sendable {
    var state: PushDeliveryState?
    var page = PushDeliveryPage(deliveries: [], cursor: nil)
    var reasons: [(state: PushDeliveryState, reason: String, count: Int64)] = []
  }

  /// The list, the newest first.
  func list(_ page: PushCampaignPage) -> String {
    let rows = page.campaigns.map { entry in
      [
        HTML.link(Self.path(entry), entry.id), state(entry), progress(entry.counts),
        number(entry.counts.accepted), number(entry.counts.failed), number(entry.counts.unknown),
        HTML.escaped(entry.topic), HTML.time(entry.starts),
      ]
    }
    let head = ["campaign", "state", "progress", "accepted", "failed", "unknown", "topic", "start"].map {
      frame.word("column-\($0)")
    }
    let older = page.cursor.map { "<p>\(HTML.link("/campaigns?before=\($0)", frame.word("older")))</p>" }
    return frame.page(
      frame.word("campaigns"), section: "campaigns",
      [rows.isEmpty ? frame.empty("no-campaigns") : HTML.table(head, rows), older ?? ""])
  }

  private static func path(_ entry: PushCampaignEntry, _ words: String = "") -> String {
    "/campaigns/\(HTML.segment(entry.id))?app=\(HTML.segment(entry.app))\(words)"
  }

  private func number(_ count: Int64) -> String { "<span class=n>\(count)</span>" }

  private func state(_ entry: PushCampaignEntry) -> String {
    let problem = entry.problem.map { "<br><small>\(HTML.escaped($0))</small>" } ?? ""
    return frame.text("campaign-\(entry.state.rawValue)") + problem
  }

  /// The part of the audience that needs no more work.
  private func progress(_ counts: PushCampaignCounts) -> String {
    let done = counts.audience - counts.waiting - counts.claimed
    return "<span class=n>\(done) / \(counts.audience)</span>"
  }

  // MARK: - One campaign

  /// A campaign with its numbers, the reasons of refusals, and its outcomes.
  ///
  /// - Parameter mayChange: Whether the reader's token permits it.
  func campaign(_ stored: CampaignStore.Stored, _ outcomes: Outcomes, mayChange: Bool) -> String {
    let entry = stored.entry
    return frame.page(
      entry.id, section: "campaigns",
      [
        "<p>\(state(entry))</p>", mayChange ? buttons(entry) : "",
        HTML.table([frame.word("column-what"), ""], facts(entry)), counts(entry), reasons(outcomes),
        "<h2>\(frame.text("outcomes"))</h2>", deliveries(entry, outcomes),
        "<h2>\(frame.text("definition"))</h2><p><code>\(HTML.escaped(stored.definition))</code></p>",
      ])
  }

  private func facts(_ entry: PushCampaignEntry) -> [[String]] {
    let all: [(String, String?)] = [
      ("topic", HTML.escaped(entry.topic)), ("environment", HTML.escaped(entry.environment.rawValue)),
      ("author", HTML.escaped(entry.author)), ("created", HTML.time(entry.created)),
      ("start", HTML.time(entry.starts)), ("resumes", entry.resumes.map(HTML.time)),
      ("ended", entry.ended.map(HTML.time)),
    ]
    return all.compactMap { name, value in value.map { [HTML.escaped(frame.word("column-\(name)")), $0] } }
  }

  private func counts(_ entry: PushCampaignEntry) -> String {
    let counts = entry.counts
    let numbers: [(PushDeliveryState, Int64)] = [
      (.waiting, counts.waiting), (.claimed, counts.claimed), (.accepted, counts.accepted), (.failed, counts.failed),
      (.unknown, counts.unknown),
    ]
    let rows =
      [[HTML.link(Self.path(entry), frame.word("audience")), number(counts.audience)]]
      + numbers.map { state, count in
        [
          HTML.link(Self.path(entry, "&state=\(state.rawValue)"), frame.word("delivery-\(state.rawValue)")),
          number(count),
        ]
      }
    return HTML.table([frame.word("column-state"), frame.word("column-count")], rows)
  }

  private func reasons(_ outcomes: Outcomes) -> String {
    guard !outcomes.reasons.isEmpty else { return "" }
    let rows = outcomes.reasons.map { state, reason, count in
      [frame.text("delivery-\(state.rawValue)"), HTML.escaped(reason), number(count)]
    }
    let head = ["state", "reason", "count"].map { frame.word("column-\($0)") }
    return "<h2>\(frame.text("reasons"))</h2>" + HTML.table(head, rows)
  }

  private func deliveries(_ entry: PushCampaignEntry, _ outcomes: Outcomes) -> String {
    let rows = outcomes.page.deliveries.map { delivery in
      [
        HTML.escaped(delivery.installation), frame.text("delivery-\(delivery.state.rawValue)"),
        delivery.status.map { "<span class=n>\($0)</span>" } ?? "", HTML.escaped(delivery.reason ?? ""),
        HTML.time(delivery.updated),
      ]
    }
    guard !rows.isEmpty else { return frame.empty("none") }
    let head = ["installation", "state", "status", "reason", "updated"].map { frame.word("column-\($0)") }
    let narrowed = outcomes.state.map { "&state=\($0.rawValue)" } ?? ""
    let more = outcomes.page.cursor.map {
      "<p>\(HTML.link(Self.path(entry, "\(narrowed)&after=\($0)"), frame.word("more")))</p>"
    }
    return HTML.table(head, rows) + (more ?? "")
  }

  private func buttons(_ entry: PushCampaignEntry) -> String {
    let wishes: [CampaignStore.Wish] =
      entry.state.isFinal ? [] : entry.state == .paused ? [.resume, .cancel] : [.pause, .cancel]
    guard !wishes.isEmpty else { return "" }
    let forms = wishes.map { wish in
      """
      <form method=post action="/campaigns/\(HTML.segment(entry.id))/\(wish.rawValue)?app=\(HTML.segment(entry.app))"><button>\(frame.text("campaign-\(wish.rawValue)"))</button></form>
      """
    }
    return forms.joined(separator: "\n")
  }
}
