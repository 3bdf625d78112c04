import MPaaSJSON
import MPaaSPattern
import MPaaSSupport

/// The comparison of one value with what a rule says.
///
/// The patterns that it meets are kept for as long as a comparison lasts.
final class PactValues {
  /// Tells whether texts that are numbers count as numbers: in headers and queries, which have texts only.
  let takesTexts: Bool
  private var patterns: [String: Result<Pattern, PatternError>] = [:]
  private var formats: [String: DateFormat?] = [:]

  init(takesTexts: Bool = false) {
    self.takesTexts = takesTexts
  }

  /// The fault of a value by a list of rules; nil where it passes.
  func fault(_ expected: JSONNode, _ actual: JSONNode, _ list: PactRuleList, isCascaded: Bool) -> PactFault? {
    var first: PactFault?
    for rule in list.rules {
      let fault = fault(expected, actual, rule, isCascaded: isCascaded)
      switch (list.combination, fault) {
      case (.and, let fault?): return fault
      case (.or, nil): return nil
      case (.or, let fault?): first = first ?? fault
      case (.and, nil): break
      }
    }
    return first
  }

  func fault(_ expected: JSONNode, _ actual: JSONNode, _ rule: PactRule, isCascaded: Bool) -> PactFault? {
    switch rule {
    case .equality: return equality(expected, actual)
    case .type(let least, let most):
      guard actual.isSameType(as: expected) else {
        return PactFault(.otherType, ["actual": actual.shown, "expected": expected.shown])
      }
      return isCascaded ? nil : size(actual, least, most)
    case .regex(let regex): return pattern(regex, actual)
    case .include(let part):
      let text = actual.plain
      return text.has(part) || part.isEmpty ? nil : PactFault(.notIncluding, ["actual": text, "part": part])
    case .integer: return number(actual).map(\.isWhole) == true ? nil : fault(.notInteger, actual)
    case .decimal: return number(actual).map(\.isWhole) == false ? nil : fault(.notDecimal, actual)
    case .number: return number(actual) != nil ? nil : fault(.notNumber, actual)
    case .null: return actual.content == .null ? nil : fault(.notNull, actual)
    case .boolean:
      let isText = takesTexts && ["true", "false"].contains(actual.string)
      return actual.bool != nil || isText ? nil : fault(.notBoolean, actual)
    case .date(let format): return date(format, actual, .notDate)
    case .time(let format): return date(format, actual, .notTime)
    case .timestamp(let format): return date(format, actual, .notTimestamp)
    case .notEmpty: return notEmpty(expected, actual)
    case .semver:
      return SemanticVersion.isValid(actual.plain) ? nil : PactFault(.notVersion, ["actual": actual.plain])
    case .statusCode(let range):
      guard let status = actual.number?.integer(Int.self) ?? actual.string.flatMap({ Int($0) }), range.has(status)
      else { return PactFault(.statusClass, ["actual": actual.plain, "class": range.words]) }
      return nil
    case .contentType(let type):
      let bytes = Array(actual.plain.utf8)
      let found = MediaType(sniffing: bytes)
      return MediaType(type)?.essence == found.essence
        ? nil : PactFault(.detectedType, ["expected": type, "actual": found.essence])
    // These are for lists and maps; what stands in them is compared by itself.
    case .values, .eachKey, .eachValue, .arrayContains: return equality(expected, actual)
    }
  }

  private func fault(_ reason: PactReason, _ actual: JSONNode) -> PactFault {
    PactFault(reason, ["actual": actual.shown])
  }

  func equality(_ expected: JSONNode, _ actual: JSONNode) -> PactFault? {
    expected.isEqual(to: actual)
      ? nil : PactFault(.notEqual, ["actual": actual.shown, "expected": expected.shown])
  }

  private func number(_ node: JSONNode) -> JSONNumber? {
    node.number ?? (takesTexts ? node.string.flatMap { JSONNumber($0) } : nil)
  }

  // MARK: Sizes

  private func size(_ actual: JSONNode, _ least: Int?, _ most: Int?) -> PactFault? {
    let size: Int
    switch actual.content {
    case .array(let elements): size = elements.count
    case .object(let members): size = members.count
    // Older contracts have lengths of texts in `min` and `max`, which no version knows.
    default: return nil
    }
    let values = ["actual": actual.summary, "size": "\(size)"]
    if let least, size < least { return PactFault(.tooFew, values.with("limit", "\(least)")) }
    if let most, size > most { return PactFault(.tooMany, values.with("limit", "\(most)")) }
    return nil
  }

  private func notEmpty(_ expected: JSONNode, _ actual: JSONNode) -> PactFault? {
    guard actual.isSameType(as: expected) else {
      return PactFault(.otherKind, ["actual": actual.shown, "expected": expected.shown])
    }
    let isEmpty =
      switch actual.content {
      case .string(let text): text.isEmpty
      case .array(let elements): elements.isEmpty
      case .object(let members): members.isEmpty
      default: false
      }
    return isEmpty ? fault(.isEmpty, actual) : nil
  }

  // MARK: Patterns and dates

  /// Patterns are held against the whole text.
  func pattern(_ regex: String, _ actual: JSONNode) -> PactFault? {
    if actual.isContainer { return PactFault(.notMatching, ["actual": actual.summary, "pattern": regex]) }
    let text = actual.plain
    let result = patterns[regex] ?? Result { () throws(PatternError) in try Pattern("^(?:\(regex))$") }
    patterns[regex] = result
    switch result {
    case .success(let pattern):
      return pattern.matches(text) ? nil : PactFault(.notMatching, ["actual": text, "pattern": regex])
    case .failure(let error):
      return PactFault(.badPattern, ["pattern": regex, "why": error.code.rawValue])
    }
  }

  private func date(_ format: String, _ actual: JSONNode, _ reason: PactReason) -> PactFault? {
    let known = formats[format] ?? DateFormat(format)
    formats[format] = .some(known)
    guard let known else { return PactFault(.badFormat, ["format": format]) }
    if let text = actual.string, known.matches(text) { return nil }
    return PactFault(reason, ["actual": actual.plain, "format": format])
  }
}

extension PactRule.StatusClass {
  fileprivate var words: String {
    switch self {
    case .information: "Informational response (100–199)"
    case .success: "Successful response (200–299)"
    case .redirect: "Redirect (300–399)"
    case .clientError: "Client error (400–499)"
    case .serverError: "Server error (500–599)"
    case .nonError: "Non-error response (< 400)"
    case .error: "Error response (>= 400)"
    case .among(let statuses): "status of \(statuses.map { "\($0)" }.joined(separator: ", "))"
    }
  }
}

extension [String: String] {
  func with(_ name: String, _ value: String) -> [String: String] { merging([name: value]) { $1 } }
}
