import MPaaSJSON
import MPaaSSupport

/// The comparison of headers; those that are not expected are none of its business.
struct HeaderMatching {
  let rules: PactRuleCategory
  private let values = PactValues(takesTexts: true)

  init(_ rules: PactRuleCategory) {
    self.rules = rules
  }

  func compare(_ expected: [PactField], _ actual: [PactField]) -> [PactMismatch] {
    expected.flatMap { field -> [PactMismatch] in
      guard let found = actual.header(field.name) else {
        let values = ["name": field.name, "expected": field.values.joined(separator: ", ")]
        return [PactMismatch(.header, field.name, .headerMissing, values)]
      }
      return compare(field, found)
    }
  }

  private func compare(_ expected: PactField, _ actual: [String]) -> [PactMismatch] {
    let name = expected.name.lowercased()
    let place = PactPlace.root[name]
    if let own = rules.rules(at: place) ?? rules.rules(at: place[0]) {
      let expected = expected.values.flatMap { Self.parts($0, name) }
      // A rule may mean the whole line, commas and all.
      let line = actual.joined(separator: ", ")
      if values.fault(.text(expected.joined(separator: ", ")), .text(line), own.list, isCascaded: true) == nil {
        return []
      }
      var all: [PactMismatch] = []
      for (index, value) in actual.flatMap({ Self.parts($0, name) }).enumerated() where all.count < PactMismatch.most {
        let found = rules.rules(at: place[index]) ?? own
        let example = index < expected.count ? expected[index] : expected.first
        let fault = values.fault(.text(example ?? ""), .text(value), found.list, isCascaded: true)
        if let fault { all.append(PactMismatch(.header, name, fault)) }
      }
      return all
    }
    let own = expected.values.flatMap { Self.parts($0, name) }
    let came = actual.flatMap { Self.parts($0, name) }
    let isSame = own.count == came.count && zip(own, came).allSatisfy { Self.isSame($0, $1, name) }
    guard !isSame else { return [] }
    let values = [
      "name": expected.name, "expected": expected.values.joined(separator: ", "),
      "actual": actual.joined(separator: ", "),
    ]
    return [PactMismatch(.header, expected.name, .headerDiffers, values)]
  }

  /// Headers whose values have commas of their own.
  private static let single: Set = [
    "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since", "set-cookie", "user-agent",
    "location", "referer",
  ]

  /// The values between commas, without white space around them.
  private static func parts(_ value: String, _ name: String) -> [String] {
    single.contains(name) ? [value.trimmed] : MediaType.split(value, at: ",").map(\.trimmed)
  }

  /// Media types and their like are compared with their parameters, whose values are in any case.
  private static func isSame(_ expected: String, _ actual: String, _ name: String) -> Bool {
    if expected == actual { return true }
    guard ["content-type", "accept"].contains(name) else { return false }
    guard expected.contains("/") else { return false }
    let own = MediaType.split(expected, at: ";").map(\.trimmed)
    let came = MediaType.split(actual, at: ";").map(\.trimmed)
    guard own.first?.lowercased() == came.first?.lowercased() else { return false }
    let parameters = Dictionary(came.dropFirst().map(parameter)) { $1 }
    return own.dropFirst().map(parameter).allSatisfy { parameters[$0.0] == $0.1 }
  }

  private static func parameter(_ text: String) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmed.lowercased() }
    return (
      parts.first ?? "", parts.dropFirst().first.map { String($0.drop { $0 == "\"" }.prefix { $0 != "\"" }) } ?? ""
    )
  }
}
