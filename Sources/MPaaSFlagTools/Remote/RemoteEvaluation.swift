package import MPaaSFlags
import MPaaSSupport

/// The answer to the question for one flag, as OpenFeature's remote evaluation has it: a result, never a rule.
///
/// - Source: OFREP 0.3.0, `evaluationSuccess` and `evaluationFailure`.
package struct RemoteEvaluation: Sendable, Equatable {
  /// The reason why a flag has its value.
  package enum Reason: String, Sendable {
    /// The same for everybody.
    case fixed = "STATIC"
    case targetingMatch = "TARGETING_MATCH"
    /// By a share of users.
    case split = "SPLIT"
    case disabled = "DISABLED"
  }

  /// The reason why there is no value.
  package enum Failure: String, Sendable {
    case parse = "PARSE_ERROR"
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    case invalidContext = "INVALID_CONTEXT"
    case flagNotFound = "FLAG_NOT_FOUND"
  }

  package enum Result: Sendable, Equatable {
    /// A value as JSON text; nil leaves it to the code that asks.
    case success(value: String?, variant: String, Reason)
    case failure(Failure, details: String)
  }

  package let key: String
  package let result: Result

  package init(key: String, _ result: Result) {
    self.key = key
    self.result = result
  }

  /// Tells why there is no value; nil where there is no failure.
  package var failure: Failure? {
    if case .failure(let failure, _) = result { failure } else { nil }
  }

  /// The object of the protocol; providers read `variant` and `errorDetails` even where there is none.
  package var json: String {
    let key = JSONValue.string(key).line
    switch result {
    case .success(let value, let variant, let reason):
      let member = value.map { ",\"value\":\($0)" } ?? ""
      let variant = JSONValue.string(variant).line
      return "{\"errorDetails\":\"\",\"key\":\(key),\"reason\":\"\(reason.rawValue)\"\(member),\"variant\":\(variant)}"
    case .failure(let failure, let details):
      return "{\"errorCode\":\"\(failure.rawValue)\",\"errorDetails\":\(JSONValue.string(details).line),\"key\":\(key)}"
    }
  }
}

extension RemoteEvaluation {
  /// Evaluates a flag.
  ///
  /// The value is the payload of the variant that is chosen, else whether the flag is on. A flag that is disabled and has
  /// variants gives no value, since its values are of another type than a boolean.
  package init(_ flag: FlagDefinition, in snapshot: FlagSnapshot, for context: FlagContext) {
    guard flag.isEnabled else {
      let value = flag.hasVariants ? nil : "false"
      self.init(key: flag.name, .success(value: value, variant: "disabled", .disabled))
      return
    }
    let variant = snapshot.variant(flag.name, for: context)
    let reason = flag.reason
    guard variant.isEnabled else {
      let isOn = variant.isFlagEnabled
      self.init(
        key: flag.name, .success(value: "\(isOn)", variant: isOn ? "enabled" : "disabled", reason))
      return
    }
    guard let payload = variant.payload else {
      self.init(key: flag.name, .success(value: "true", variant: variant.name, reason))
      return
    }
    guard let value = payload.json else {
      let details = "the payload of variant \(variant.name) is no \(payload.type)"
      self.init(key: flag.name, .failure(.parse, details: details))
      return
    }
    self.init(key: flag.name, .success(value: value, variant: variant.name, reason))
  }
}

extension FlagPayload {
  /// The value as JSON: a number as it is written, an object or array, else a text; nil where it is not of its type.
  fileprivate var json: String? {
    switch type {
    case "number":
      guard let text = Self.compact(value), let first = text.utf8.first else { return nil }
      return first == UInt8(ascii: "-") || first &- 0x30 < 10 ? text : nil
    case "json":
      guard let text = Self.compact(value), let first = text.utf8.first else { return nil }
      return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? text : nil
    default: return JSONValue.string(value).line
    }
  }

  /// The text without white space between its parts; nil where it is no JSON.
  private static func compact(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      let isJSON = (try? JSONValue(reading: UnsafeRawBufferPointer(bytes))) != nil
      return isJSON ? CompactJSON.text(bytes) : nil
    }
  }
}

extension FlagDefinition {
  fileprivate var hasVariants: Bool { !variants.isEmpty || strategies.contains { !$0.variants.isEmpty } }

  /// The reason for results of the flag while it is enabled.
  fileprivate var reason: RemoteEvaluation.Reason {
    let deciding = strategies.first
    let variants = deciding.map { $0.variants.isEmpty ? self.variants : $0.variants } ?? self.variants
    let isSplit = strategies.contains(where: \.isShare) || variants.count > 1
    if dependencies.isEmpty, !isSplit, variants.allSatisfy(\.overrides.isEmpty), deciding?.isAlways ?? true {
      return .fixed
    }
    return isSplit ? .split : .targetingMatch
  }
}

extension StrategyDefinition {
  fileprivate var isAlways: Bool { name == "default" && constraints.isEmpty && segments.isEmpty }

  /// Tells whether the strategy holds for a part of those whom its constraints let through.
  fileprivate var isShare: Bool {
    switch name {
    case "flexibleRollout": parameters["rollout"] != "100"
    case "gradualRolloutUserId", "gradualRolloutSessionId", "gradualRolloutRandom": parameters["percentage"] != "100"
    default: false
    }
  }
}
