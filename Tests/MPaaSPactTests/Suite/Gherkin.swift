import Foundation

/// A scenario of a feature file, with the steps of its background in front.
struct Scenario: Sendable, CustomStringConvertible {
  struct Step: Sendable {
    let text: String
    let table: [[String]]
    let line: Int

    /// The rows by the names of the first one.
    var rows: [[String: String]] {
      guard let names = table.first else { return [] }
      return table.dropFirst().map { Dictionary(zip(names, $0)) { $1 } }
    }

    /// A table whose names stand in its first column.
    var pairs: [String: String] { Dictionary(table.map { ($0[0], $0.dropFirst().first ?? "") }) { $1 } }
  }

  let feature: String
  let name: String
  var steps: [Step]

  var description: String { "\(feature): \(name)" }
}

/// Reads feature files as far as the suite uses the language: no outlines, no texts over lines.
enum Gherkin {
  static func scenarios(_ text: String, feature: String) -> [Scenario] {
    var background: [Scenario.Step] = []
    var scenarios: [Scenario] = []
    var isBackground = false
    func add(_ step: Scenario.Step) {
      if isBackground {
        background.append(step)
      } else if !scenarios.isEmpty {
        scenarios[scenarios.count - 1].steps.append(step)
      }
    }
    for (number, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("Background:") { isBackground = true }
      if line.hasPrefix("Scenario:") {
        isBackground = false
        let name = line.dropFirst("Scenario:".count).trimmingCharacters(in: .whitespaces)
        scenarios.append(Scenario(feature: feature, name: name, steps: background))
      }
      if line.hasPrefix("|") {
        let step = isBackground ? background.popLast() : scenarios[scenarios.count - 1].steps.popLast()
        guard let step else { continue }
        add(Scenario.Step(text: step.text, table: step.table + [cells(line)], line: step.line))
      }
      for word in ["Given ", "When ", "Then ", "And ", "But "] where line.hasPrefix(word) {
        add(Scenario.Step(text: String(line.dropFirst(word.count)), table: [], line: number + 1))
      }
    }
    return scenarios
  }

  private static func cells(_ line: String) -> [String] {
    line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
