import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The page of hotpatches on devices and of their rollouts, as a function of what it shows.
struct PatchPages: Sendable {
  let frame: PageFrame

  /// The content of the page.
  struct Content: Sendable {
    var patches: [PatchEntry]
    var requests: [RolloutRequest]
    /// The names of apps by their keys.
    var apps: [String: String]
    /// The key of the one app that it is about; nil for all.
    var app: String?
    /// Tells whether the reader may ask for changes.
    var mayAsk: Bool
    /// The fault in what was asked for.
    var problem: String?
  }

  /// The most versions and the most requests of the page.
  private static let most = 50
  private static let mostRequests = 30

  func page(_ content: Content) -> String {
    let title =
      content.app.flatMap { content.apps[$0] }.map { frame.word("patches-of", ["app": $0]) } ?? frame.word("patches")
    return frame.page(
      title, section: "patches",
      [
        content.problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "",
        content.patches.isEmpty ? frame.empty("no-patches") : table(content),
        "<p class=none>\(frame.text("patches-help", ["ratio": String(Int(CrashRateTest.haltRatio))]))</p>",
        content.mayAsk ? form(content) : "", requests(content),
      ])
  }

  // MARK: - Devices

  private func table(_ content: Content) -> String {
    let rows = content.patches.prefix(Self.most).map { patch in
      [
        HTML.escaped(patch.identity),
        "\(HTML.escaped(patch.patch)) <span class=n>\(HTML.escaped(patch.version))</span>",
        patch.rollouts.isEmpty ? "–" : patch.rollouts.map(rollout).joined(separator: "<br>"),
        number(patch.devices), number(patch.crashed), free(patch.devices, patch.crashed),
        patch.baseline.map { free($0.devices, $0.crashed) } ?? "<span class=n>–</span>", verdict(patch),
        HTML.time(patch.firstSeen), HTML.time(patch.lastSeen),
      ]
    }
    let head = [
      "identity", "patch", "rollout", "devices", "crashed", "crash-free-with", "crash-free-without", "verdict",
      "first-run", "last-run",
    ]
    return HTML.table(head.map { frame.word("column-\($0)") }, rows, isList: true)
  }

  /// A rollout in words: its channel, how it stands, and for how many.
  private func rollout(_ rollout: RolloutNote.Rollout) -> String {
    let isStopped = rollout.state == "halted" || rollout.state == "killed"
    let state = HTML.escaped(frame.catalogue.text("text.rollout-state-\(rollout.state)"))
    let words = [
      HTML.escaped(rollout.channel), isStopped ? "<span class=bad>\(state)</span>" : state,
      frame.text("stage-\(rollout.stage)"), "<span class=n>\(Self.percent(rollout.basisPoints))</span>",
    ]
    return words.joined(separator: " · ")
      + (rollout.reason.isEmpty ? "" : " <small>\(HTML.escaped(rollout.reason))</small>")
  }

  /// The share of parts of 10,000 in percent.
  static func percent(_ basisPoints: Int) -> String {
    let (whole, rest) = (basisPoints / 100, basisPoints % 100)
    if rest == 0 { return "\(whole)%" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest.padded(to: 2))%"
  }

  private func number(_ count: Int64) -> String { "<span class=n>\(count)</span>" }

  /// The share of devices of which no run crashed.
  private func free(_ devices: Int64, _ crashed: Int64) -> String {
    let share = devices > 0 ? 1 - Double(min(crashed, devices)) / Double(devices) : nil
    return "<span class=n>\(share.map(HealthChart.percent) ?? "–")</span>"
  }

  /// The judgement of the test in words, with its ratio.
  private func verdict(_ patch: PatchEntry) -> String {
    guard let ratio = patch.ratio else { return frame.text("verdict-no-baseline") }
    let text = ratio >= 10_000 ? "> 10000" : String((ratio * 100).rounded() / 100)
    let isWorse = ratio >= CrashRateTest.haltRatio && patch.devices >= Int64(CrashRateTest.minimumSessions)
    let word = frame.text(
      isWorse ? "verdict-worse" : patch.devices < Int64(CrashRateTest.minimumSessions) ? "verdict-few" : "verdict-same",
      ["devices": String(CrashRateTest.minimumSessions)])
    return (isWorse ? "<span class=bad>\(word)</span>" : word) + " <small class=n>\(HTML.escaped(text))</small>"
  }

  // MARK: - Requests

  private func form(_ content: Content) -> String {
    let choices = content.patches.prefix(Self.most).flatMap { patch in
      patch.rollouts.filter { $0.state != "killed" && $0.state != "superseded" }.map { rollout in
        let value = Self.choice(patch, rollout)
        let name = "\(patch.identity) · \(patch.patch) \(patch.version) · \(rollout.channel)"
        return "<option value=\"\(HTML.escaped(value))\">\(HTML.escaped(name))</option>"
      }
    }
    guard !choices.isEmpty else { return "" }
    let actions = RolloutRequest.Action.allCases.map {
      "<option value=\($0.rawValue)>\(frame.text("rollout-do-\($0.rawValue)"))</option>"
    }
    return """
      <h2>\(frame.text("rollout-ask"))</h2><form class=card method=post action="/patches">
      <label>\(frame.text("column-rollout"))<select name=rollout>\(choices.joined())</select></label>
      <label>\(frame.text("column-change"))<select name=action>\(actions.joined())</select></label>
      <label>\(frame.text("field-percent"))<input name=percent inputmode=decimal size=6></label>
      <label>\(frame.text("column-reason"))<input name=reason size=32 maxlength=200></label>
      <button>\(frame.text("rollout-ask"))</button></form><p class=none>\(frame.text("rollout-ask-help"))</p>
      """
  }

  /// The value by which the form names a rollout: names that have no tabulator in them, with one between them.
  static func choice(_ patch: PatchEntry, _ rollout: RolloutNote.Rollout) -> String {
    [patch.identity, patch.patch, patch.version, rollout.channel].joined(separator: "\t")
  }

  private func requests(_ content: Content) -> String {
    if content.requests.isEmpty { return "" }
    let rows = content.requests.prefix(Self.mostRequests).map { request in
      let change = frame.text("rollout-do-\(request.action.rawValue)")
      let state = frame.text("request-\(request.state.rawValue)")
      return [
        HTML.time(request.created),
        HTML.escaped("\(request.identity) · \(request.patch) \(request.version) · \(request.channel)"),
        request.basisPoints.map { "\(change) <span class=n>\(Self.percent($0))</span>" } ?? change,
        HTML.escaped(request.reason), HTML.escaped(request.author),
        request.state == .refused ? "<span class=bad>\(state)</span>" : state, HTML.escaped(request.outcome),
        request.ended.map(HTML.time) ?? "",
      ]
    }
    let head = ["time", "rollout", "change", "reason", "author", "state", "answer", "ended"]
    return "<h2>\(frame.text("rollout-requests"))</h2>"
      + HTML.table(head.map { frame.word("column-\($0)") }, rows, isList: true)
  }
}
