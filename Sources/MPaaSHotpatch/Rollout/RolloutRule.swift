import MPaaSSupport
import MPaaSVerification

/// A condition on the device, as the rollouts of mPaaS know them; a device that does not tell the fact does not meet
/// it.
package struct RolloutRule: Sendable, Equatable {
  package enum Field: String, Sendable, CaseIterable {
    case city, model, network
    case systemVersion = "os_version"
  }

  /// The ways in which the fact is compared; text without regard to case.
  package enum Operator: String, Sendable, CaseIterable {
    /// The fact holds one of the texts.
    case contains
    /// The fact is one of the texts; the same as `isIn`, kept as it was written.
    case equals
    case isIn = "in"
    /// The fact is a version in one of the ranges, `>=17.0,<18`.
    case version
  }

  package let field: Field
  package let comparison: Operator
  package let values: [String]

  /// - Throws: `TrustError` `rollout-rule-malformed` where there is no value, or a value is no range of versions.
  package init(_ field: Field, _ comparison: Operator, _ values: [String]) throws(TrustError) {
    guard !values.isEmpty, comparison != .equals || values.count == 1,
      comparison != .version || values.allSatisfy({ DottedVersionRange($0) != nil })
    else {
      throw TrustError(
        .rolloutRuleMalformed, ["rule": "\(field.rawValue) \(comparison.rawValue) \(values.joined(separator: "|"))"])
    }
    self.field = field
    self.comparison = comparison
    self.values = values
  }

  package func holds(for device: DeviceFacts) -> Bool {
    guard let fact = fact(of: device) else { return false }
    switch comparison {
    case .contains: return values.contains { fact.lowercased().has($0.lowercased()) }
    case .equals, .isIn: return values.contains { fact.lowercased() == $0.lowercased() }
    case .version:
      guard let version = DottedVersion(fact) else { return false }
      return values.contains { DottedVersionRange($0)?.contains(version) == true }
    }
  }

  private func fact(of device: DeviceFacts) -> String? {
    switch field {
    case .city: device.city
    case .model: device.model
    case .network: device.network
    case .systemVersion: device.systemVersion
    }
  }
}

extension RolloutRule: CustomStringConvertible {
  /// As people write it: `city in Hangzhou|Shanghai`, `os_version version >=17,<18`.
  package var description: String {
    "\(field.rawValue) \(comparison.rawValue) \(values.joined(separator: "|"))"
  }

  /// Reads what `description` writes.
  ///
  /// - Throws: `TrustError` `rollout-rule-malformed`.
  package init(_ text: String) throws(TrustError) {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3, let field = Field(rawValue: words[0]), let comparison = Operator(rawValue: words[1]) else {
      throw TrustError(.rolloutRuleMalformed, ["rule": text])
    }
    let values = comparison == .equals ? [words[2]] : words[2].split(separator: "|").map(String.init)
    try self.init(field, comparison, values)
  }
}

extension RolloutRule {
  init(_ value: JSONValue, path: String) throws(TrustError) {
    var fields = try MetadataFields(value, path: path)
    guard let field = Field(rawValue: try fields.string("field")),
      let comparison = Operator(rawValue: try fields.string("operator"))
    else { throw TrustError(.rolloutMalformed, ["field": path]) }
    try self.init(field, comparison, try fields.strings("values"))
    try fields.finish()
  }

  var value: JSONValue {
    [
      "field": .string(field.rawValue), "operator": .string(comparison.rawValue),
      "values": .array(values.map { .string($0) }),
    ]
  }
}

extension TrustError.Code {
  package static let rolloutRuleMalformed = malformed("rollout-rule-malformed")
}
