import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// The devices that get a patch, and the reasons.
struct RolloutDecisions: Presentable {
  struct Check: Encodable {
    let check: String
    let holds: Bool
    let values: [String: String]
  }

  struct Row: Encodable {
    let patch: String
    let version: String
    let offered: Bool
    /// The identifier of what stands against it.
    let refusal: String?
    let checks: [Check]
  }

  struct Offer: Encodable {
    let patch: String
    let version: String
  }

  let app: String
  let user: String
  let appVersion: String
  let channel: String
  let gets: [Offer]
  let decisions: [Row]

  private enum CodingKeys: String, CodingKey {
    case app, user, channel, gets, decisions
    case appVersion = "app_version"
  }

  init(_ forecast: RolloutForecast) {
    let (facts, decisions, offers) = (forecast.facts, forecast.decisions, forecast.offers)
    app = facts.app
    user = facts.id
    appVersion = facts.appVersion
    channel = facts.channel
    let named = Set(decisions.map(\.patch))
    gets = offers.filter { named.contains($0.patch) }.map { Offer(patch: $0.patch, version: $0.version.text) }
    self.decisions = decisions.map { decision in
      Row(
        patch: decision.patch, version: decision.version.text, offered: decision.isOffered,
        refusal: decision.refusal?.identifier,
        checks: decision.reasons.map { Check(check: $0.check.rawValue, holds: $0.holds, values: $0.values) })
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for row in decisions {
      let word = catalogue.text(row.offered ? "text.rollout-gets" : "text.rollout-does-not-get")
      let head = StyledText("\(row.patch) \(row.version): ", .emphasis)
      document.line(head + StyledText(word, row.offered ? .good : .bad))
      for check in row.checks {
        let key = "text.rollout-check-\(check.check)-\(check.holds ? "yes" : "no")"
        document.line(StyledText("  " + catalogue.text(key, check.values), .faint))
      }
    }
    let list = gets.map { "\($0.patch) \($0.version)" }.joined(separator: ", ")
    document.line(
      StyledText(
        catalogue.text(
          gets.isEmpty ? "text.rollout-gets-nothing" : "text.rollout-gets-list", ["user": user, "list": list])))
    return document
  }
}
