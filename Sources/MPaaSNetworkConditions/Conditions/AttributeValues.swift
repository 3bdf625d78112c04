import MPaaSSupport

/// The treatment of attributes that a type does not have.
package enum UnknownAttributes: Sendable {
  case refused
  /// As toxiproxy does.
  case ignored
}

/// The attributes of a condition, each checked against the table of its kind.
struct AttributeValues {
  private var values: JSONValue.Object = [:]
  private let kind: Condition.Kind

  init(_ kind: Condition.Kind, _ given: JSONValue.Object, _ unknown: UnknownAttributes) throws(NetworkError) {
    self.kind = kind
    for (name, value) in given.sorted(by: { $0.key < $1.key }) {
      guard let attribute = kind.attribute(name) else {
        if unknown == .ignored { continue }
        throw Self.unknown(name, of: kind)
      }
      guard value != .null else { continue }
      if let problem = attribute.problem(with: value) {
        throw NetworkError(
          .attributeValue,
          ["type": kind.rawValue, "attribute": name, "value": value.line, "expected": problem])
      }
      values[name] = value
    }
  }

  private static func unknown(_ name: String, of kind: Condition.Kind) -> NetworkError {
    let names = kind.attributes.map(\.name)
    return NetworkError(
      .attributeUnknown,
      [
        "type": kind.rawValue, "attribute": name, "known": names.isEmpty ? "–" : names.joined(separator: ", "),
      ])
  }

  /// The value that was given, or what holds without.
  subscript(_ name: String) -> JSONValue? { values[name] ?? kind.attribute(name)?.usual }

  /// Tells whether it was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  func double(_ name: String) -> Double { self[name]?.double ?? 0 }

  func integer(_ name: String) -> Int64 { Int64(double(name)) }

  func optionalInteger(_ name: String) -> Int? { self[name]?.double.map { Int($0) } }

  func flag(_ name: String) -> Bool { self[name]?.bool ?? false }

  func text(_ name: String) -> String? { self[name]?.string }

  func word<Word: RawRepresentable<String>>(_ name: String, or usual: Word) -> Word {
    text(name).flatMap(Word.init(rawValue:)) ?? usual
  }

  func time(_ name: String) -> Duration { optionalTime(name) ?? .zero }

  func optionalTime(_ name: String) -> Duration? {
    guard let value = self[name]?.double else { return nil }
    return kind.attribute(name)?.unit == .microseconds
      ? Duration(inMicroseconds: value) : Duration(inMilliseconds: value)
  }

  var filter: RequestFilter {
    RequestFilter(
      method: text("method"), path: text("path"), first: optionalInteger("first"), probability: double("probability"))
  }
}

extension Condition.Attribute {
  /// The kind that a value should be, where it is not that.
  fileprivate func problem(with value: JSONValue) -> String? {
    switch unit {
    case .flag: return value.bool == nil ? "true, false" : nil
    case .text: return value.string == nil ? "\"…\"" : nil
    case .word(let words):
      return value.string.map(words.contains) == true ? nil : words.joined(separator: ", ")
    case .texts:
      return value.object?.values.allSatisfy { $0.string != nil } == true ? nil : "{\"…\": \"…\"}"
    default:
      guard let number = value.double, range.contains(number), !isWhole || number == number.rounded() else {
        return expectedNumber
      }
      return nil
    }
  }

  /// The range with its unit, such as `0…30000000000 ms`.
  package var expectedNumber: String {
    let ends = [range.lowerBound, range.upperBound].map { JSONValue($0)?.line ?? "" }
    return "\(ends[0])…\(ends[1])" + (unit.symbol.map { " \($0)" } ?? "")
  }
}
