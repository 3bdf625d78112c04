import HTTPTypes
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport

/// The pages of flags, as functions of what they show.
struct FlagPages: Sendable {
  let frame: PageFrame
  /// The environments of the app, by name.
  let environments: [FlagPlace]
  let place: Address
  /// True where the reader's token permits changes.
  let mayChange: Bool
  /// The approvals that a change needs.
  let approvals: Int

  /// The kinds of flags that are made here.
  static let types = ["release", "experiment", "operational", "permission", "kill-switch"]

  /// The app and the environment as addresses name them.
  struct Address: Sendable {
    /// Nil where the reader named none.
    let app: String?
    var environment: String

    /// An address of ours; its words are escaped here.
    func path(_ path: String, _ words: [(String, String)] = []) -> String {
      let all = (app.map { [("app", $0)] } ?? []) + [("environment", environment)] + words
      return path + "?" + all.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    func flag(_ name: String) -> String { path("/flags/flag", [("name", name)]) }

    func proposal(_ id: String) -> String { path("/flags/proposals/\(HTML.segment(id))") }
  }

  // MARK: - The list

  /// The flags of an environment, with their states in all of them.
  ///
  /// - Parameters:
  ///   - text: The part of name or description that all have.
  ///   - draft: The form for a new flag.
  func list(_ flags: [FlagDefinition], text: String?, _ draft: Draft, hasMore: Bool) -> String {
    let rows = flags.map { flag in
      [
        HTML.link(place.flag(flag.name), flag.name)
          + (flag.summary.map { "<br><small>\(HTML.escaped($0))</small>" } ?? ""),
        HTML.escaped(flag.type ?? "") + (flag.isStale ? " <small>\(frame.text("flag-stale"))</small>" : ""),
      ] + environments.map { state(of: flag.name, in: $0) } + [strategies(flag)]
    }
    let head =
      [frame.word("column-flag"), frame.word("column-type")] + environments.map(\.key.environment)
      + [frame.word("column-strategies")]
    let older = flags.last.map { last in
      let words = [("after", last.name)] + (text.map { [("text", $0)] } ?? [])
      return "<p>\(HTML.link(place.path("/flags", words), frame.word("more")))</p>"
    }
    return frame.page(
      frame.word("flags"), section: "flags",
      [
        filter(text), flags.isEmpty ? frame.empty("no-flags") : HTML.table(head, rows), hasMore ? older ?? "" : "",
        mayChange ? "<h2>\(frame.text("new-flag"))</h2>" + problem(draft.problem) + creation(draft) : "",
      ])
  }

  private func filter(_ text: String?) -> String {
    """
    \(links())
    <form class=card method=get action="/flags">\(hiddenApp)
    \(choice("environment", "column-environment", place.environment, environments.map { ($0.key.environment, $0.key.environment) }))
    <label>\(frame.text("field-text"))<input name=text type=text value="\(HTML.escaped(text ?? ""))"></label>
    <button>\(frame.text("filter"))</button></form>
    """
  }

  private var hiddenApp: String {
    place.app.map { "<input type=hidden name=app value=\"\(HTML.escaped($0))\">" } ?? ""
  }

  /// The way to the other pages of the environment.
  func links() -> String {
    let all = [("/flags", "flags"), ("/flags/history", "flags-history"), ("/flags/proposals", "flags-proposals")]
    return "<p>\(HTML.escaped(place.environment)) · "
      + all.map { HTML.link(place.path($0), frame.word($1)) }.joined(separator: " · ") + "</p>"
  }

  func choice(_ name: String, _ label: String, _ chosen: String, _ values: [(String, String)]) -> String {
    let options = values.map { value, title in
      "<option value=\"\(HTML.escaped(value))\"\(value == chosen ? " selected" : "")>\(HTML.escaped(title))</option>"
    }
    return "<label>\(frame.text(label))<select name=\(name)>\(options.joined())</select></label>"
  }

  func problem(_ text: String?) -> String { text.map { "<p class=bad>\(HTML.escaped($0))</p>" } ?? "" }

  private func state(of name: String, in environment: FlagPlace) -> String {
    guard let flag = environment.edition.flag(ExactName(name)) else { return "–" }
    return frame.text(flag.isEnabled ? "flag-on" : "flag-off")
  }

  private func strategies(_ flag: FlagDefinition) -> String {
    guard !flag.strategies.isEmpty else { return "<small>\(frame.text("flag-for-all"))</small>" }
    return flag.strategies.map { "<code>\(HTML.escaped($0.line))</code>" }.joined(separator: "<br>")
  }

  private var states: [(String, String)] { [("true", frame.word("flag-on")), ("false", frame.word("flag-off"))] }

  private func creation(_ draft: Draft) -> String {
    """
    <form class=card method=post action="\(HTML.escaped(place.path("/flags")))">
    <label>\(frame.text("field-name"))<input name=name type=text required value="\(HTML.escaped(draft.name))"></label>
    \(choice("type", "column-type", "release", Self.types.map { ($0, $0) }))
    \(choice("enabled", "column-state", draft.enabled.isEmpty ? "false" : draft.enabled, states))
    \(value(draft.value, isText: true))
    \(comment(draft))
    \(buttons(atOnce: true, "create"))</form>
    """
  }

  // MARK: - One flag

  /// A flag with its strategies, its form, and the versions that changed it.
  func flag(_ flag: FlagDefinition, _ draft: Draft, _ versions: [FlagVersion]) -> String {
    let rows = environments.map { environment in
      var there = place
      there.environment = environment.key.environment
      return [
        HTML.link(there.flag(flag.name), environment.key.environment), state(of: flag.name, in: environment),
        environment.edition.flag(ExactName(flag.name)).map(strategies) ?? "",
      ]
    }
    let facts: [(String, [String])] = [
      ("flag-variants", flag.variants.map(\.line)), ("flag-dependencies", flag.dependencies.map(\.line)),
    ]
    let kind = ([flag.type, flag.project].compactMap { $0 } + (flag.isStale ? [frame.word("flag-stale")] : []))
    return frame.page(
      flag.name, section: "flags",
      [
        links(), flag.summary.map { "<p>\(HTML.escaped($0))</p>" } ?? "",
        kind.isEmpty ? "" : "<p class=none>\(HTML.escaped(kind.joined(separator: " · ")))</p>",
        HTML.table(["environment", "state", "strategies"].map { frame.word("column-\($0)") }, rows),
      ]
        + facts.map { title, lines in
          lines.isEmpty
            ? ""
            : "<h2>\(frame.text(title))</h2>"
              + lines.map { "<code>\(HTML.escaped($0))</code>" }.joined(separator: "<br>")
        } + [
          problem(draft.problem), mayChange ? editing(flag, draft) : "", "<h2>\(frame.text("flags-history"))</h2>",
          versions.isEmpty ? frame.empty("no-versions") : table(versions),
          "<p>\(HTML.link(place.path("/flags/history", [("flag", flag.name)]), frame.word("flags-history")))</p>",
        ])
  }

  private func editing(_ flag: FlagDefinition, _ draft: Draft) -> String {
    let rollout = """
      <label>\(frame.text("field-rollout"))<input name=rollout type=number min=0 max=100 value="\(HTML.escaped(draft.rollout))"></label>
      """
    return """
      <h2>\(frame.text("change"))</h2>
      <form class=card method=post action="\(HTML.escaped(place.flag(flag.name)))">
      <input type=hidden name=base value="\(draft.base.map(String.init) ?? "")">
      \(choice("enabled", "column-state", draft.enabled, states))
      \(flag.rollouts.count < 2 ? rollout : "")
      \(flag.hasOneValue ? value(draft.value, isText: !draft.value.contains(where: \.isNewline)) : "")
      \(comment(draft))
      \(buttons(atOnce: approvals == 0 || flag.isKillSwitch, "save"))</form>
      """
  }

  /// The field of the text that apps get.
  private func value(_ text: String, isText: Bool) -> String {
    let field =
      isText
      ? "<input name=value type=text value=\"\(HTML.escaped(text))\">"
      : "<textarea name=value rows=5 cols=60>\(HTML.escaped(text))</textarea>"
    return "<label>\(frame.text("field-value"))\(field)</label>"
  }

  func comment(_ draft: Draft) -> String {
    "<label>\(frame.text("field-comment"))<input name=comment type=text value=\"\(HTML.escaped(draft.comment))\"></label>"
  }

  /// The button that changes at once, where that is permitted, and the one that proposes.
  func buttons(atOnce mayChangeAtOnce: Bool, _ word: String) -> String {
    let change = "<button name=way value=change>\(frame.text(word))</button>"
    let propose =
      "<button name=way value=propose\(mayChangeAtOnce ? " class=plain" : "")>\(frame.text("propose"))</button>"
    return (mayChangeAtOnce ? change : "") + propose
  }
}

extension FlagDefinition {
  /// The strategies that roll a flag out by a percentage.
  var rollouts: [StrategyDefinition] { strategies.filter { $0.name == "flexibleRollout" } }

  /// Tells whether all who have the flag get the same text.
  var hasOneValue: Bool { variants.count < 2 && strategies.allSatisfy(\.variants.isEmpty) }
}
