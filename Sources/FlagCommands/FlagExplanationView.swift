import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

/// The reason why a flag is on or off.
struct FlagExplanationView: Presentable {
  struct Constraint: Encodable {
    let constraint: String
    let value: String?
    let holds: Bool

    init(_ constraint: FlagExplanation.Constraint) {
      (self.constraint, value, holds) = (constraint.definition.line, constraint.value, constraint.holds)
    }
  }

  struct Segment: Encodable {
    let id: Int
    let name: String?
    let known: Bool
    let holds: Bool
    let constraints: [Constraint]
  }

  struct Strategy: Encodable {
    let name: String
    let holds: Bool
    let ruleHolds: Bool
    let percentage: Int?
    let bucket: Int?
    let stickiness: String?
    let constraints: [Constraint]
    let segments: [Segment]
  }

  struct Parent: Encodable {
    let flag: String
    let mustBeEnabled: Bool
    let holds: Bool
  }

  let flag: String
  let enabled: Bool
  /// The word for the decision; the strategy or parent that made it follows.
  let decision: String
  let strategy: Int?
  let parent: String?
  let variant: JSONValue
  /// The share that chose the variant, of the sum of all.
  let share: Int?
  let shares: Int?
  let parents: [Parent]
  let strategies: [Strategy]

  init(_ explanation: FlagExplanation) {
    flag = explanation.flag
    enabled = explanation.isEnabled
    (decision, strategy, parent) = Self.words(explanation.decision)
    variant = explanation.variant.json
    (share, shares) = (explanation.share?.bucket, explanation.share?.sum)
    parents = explanation.parents.map {
      Parent(flag: $0.flag, mustBeEnabled: $0.mustBeEnabled, holds: $0.holds)
    }
    strategies = explanation.strategies.map { strategy in
      Strategy(
        name: strategy.name, holds: strategy.holds, ruleHolds: strategy.ruleHolds, percentage: strategy.percentage,
        bucket: strategy.bucket, stickiness: strategy.stickiness,
        constraints: strategy.constraints.map { Constraint($0) },
        segments: strategy.segments.map {
          Segment(
            id: $0.id, name: $0.name, known: $0.isKnown, holds: $0.holds,
            constraints: $0.constraints.map { Constraint($0) })
        })
    }
  }

  private static func words(_ decision: FlagExplanation.Decision) -> (String, Int?, String?) {
    switch decision {
    case .noSuchFlag: ("absent", nil, nil)
    case .flagOff: ("off", nil, nil)
    case .broken: ("broken", nil, nil)
    case .parent(let name): ("parent", nil, name)
    case .noStrategies: ("no-strategies", nil, nil)
    case .strategy(let number): ("strategy", number, nil)
    case .noStrategyHolds: ("no-strategy-holds", nil, nil)
    }
  }

  // MARK: - Text

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = ["strategy": strategy.map { "\($0)" } ?? "", "parent": parent ?? ""]
    let reason = catalogue.text("text.flags-because-\(decision)", values)
    let note = (catalogue.language == .english ? " " : "") + catalogue.text("text.flags-value", ["value": reason])
    document.line(StyledText(flag, .function) + ": " + .flagState(enabled, catalogue) + StyledText(note))
    if let name = variant.object?["name"]?.string, variant.object?["enabled"] == .bool(true) {
      let key = share == nil ? "text.flags-variant-chosen" : "text.flags-variant-share"
      let values = ["name": name, "share": "\(share ?? 0)", "shares": "\(shares ?? 0)"]
      document.line("  " + StyledText(catalogue.text(key, values)))
    }
    for parent in parents {
      let key = parent.mustBeEnabled ? "text.flags-parent-on" : "text.flags-parent-off"
      document.line("  " + Self.mark(parent.holds) + StyledText(catalogue.text(key, ["flag": parent.flag])))
    }
    for (index, strategy) in strategies.enumerated() { append(strategy, index + 1, to: &document, catalogue) }
    return document
  }

  private static func mark(_ holds: Bool) -> StyledText { holds ? StyledText("✓ ", .good) : StyledText("✗ ", .bad) }

  private func append(_ strategy: Strategy, _ number: Int, to document: inout Document, _ catalogue: Catalogue) {
    document.line("  " + Self.mark(strategy.holds) + StyledText("\(number) ") + StyledText(strategy.name, .function))
    if let percentage = strategy.percentage {
      let values = [
        "bucket": strategy.bucket.map { "\($0)" } ?? "-", "percentage": "\(percentage)",
        "field": strategy.stickiness ?? "",
      ]
      let key = strategy.bucket == nil ? "text.flags-no-bucket" : "text.flags-bucket"
      document.line("    " + Self.mark(strategy.ruleHolds) + StyledText(catalogue.text(key, values)))
    }
    for constraint in strategy.constraints { append(constraint, "    ", to: &document, catalogue) }
    for segment in strategy.segments {
      let key = segment.known ? "text.flags-segment" : "text.flags-segment-unknown"
      let text = catalogue.text(key, ["segment": "\(segment.id)"]) + (segment.name.map { " " + $0 } ?? "")
      document.line("    " + Self.mark(segment.holds) + StyledText(text))
      for constraint in segment.constraints { append(constraint, "      ", to: &document, catalogue) }
    }
  }

  private func append(
    _ constraint: Constraint, _ indent: String, to document: inout Document, _ catalogue: Catalogue
  ) {
    let key = constraint.value == nil ? "text.flags-value-missing" : "text.flags-value"
    let note = catalogue.text(key, ["value": constraint.value ?? ""])
    document.line(
      StyledText(indent) + Self.mark(constraint.holds) + StyledText(constraint.constraint + " ")
        + StyledText(note, .faint))
  }
}
