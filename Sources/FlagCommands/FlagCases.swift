import MPaaSFlags
import MPaaSSupport

/// A question to a state: whether a flag is on for a context, or which variant it has.
struct FlagCase {
  /// The kind of answer that is asked for.
  enum Kind: String { case enabled, variant }

  let kind: Kind
  let flag: String
  let context: FlagContext

  /// Reads a case, `{"kind", "toggleName", "context"}`; without a kind `enabled` is meant.
  ///
  /// - Throws: `FlagError` `flags-case-malformed` with the number of the case.
  init(_ value: JSONValue, number: Int) throws(FlagError) {
    guard let members = value.object, let flag = members["toggleName"]?.string,
      let kind = Kind(rawValue: members["kind"]?.string ?? "enabled")
    else { throw FlagError(.caseMalformed, ["case": "\(number)"]) }
    (self.kind, self.flag) = (kind, flag)
    context = try members["context"].map { value throws(FlagError) in try FlagContext(json: value) } ?? FlagContext()
  }

  /// Reads cases: an array of them, or one a line.
  ///
  /// - Throws: `FlagError` `flags-case-malformed` with the number of the first that is none.
  static func all(in bytes: UnsafeRawBufferPointer) throws(FlagError) -> [FlagCase] {
    var cases: [FlagCase] = []
    for value in try values(in: bytes) { cases.append(try FlagCase(value, number: cases.count + 1)) }
    return cases
  }

  private static func values(in bytes: UnsafeRawBufferPointer) throws(FlagError) -> [JSONValue] {
    var (values, place): ([JSONValue], Int) = ([], 0)
    while let start = bytes[place...].firstIndex(where: { $0 > 0x20 }) {
      var end = 0
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard let value = try? JSONValue(readingFirstOf: rest, end: &end) else {
        throw FlagError(.caseMalformed, ["case": "\(values.count + 1)"])
      }
      place = start + end
      if let list = value.array { values += list } else { values.append(value) }
    }
    return values
  }
}

extension FlagVariant {
  /// The variant as Unleash's specification writes it.
  var json: JSONValue {
    var members: JSONValue.Object = [
      "name": .string(name), "enabled": .bool(isEnabled), "feature_enabled": .bool(isFlagEnabled),
    ]
    if let payload {
      members["payload"] = .object(["type": .string(payload.type), "value": .string(payload.value)])
    }
    return .object(members)
  }
}
