import MPaaSSupport

/// A condition that a key of a theme states: `screen>=phone6p`, `ios<8.0`, `device=ipad`.
package struct ThemeCondition: Sendable, Hashable {
  package enum Operator: String, Sendable, CaseIterable {
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "="
    case less = "<"
    case greater = ">"

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .notEqual: left != right
      case .lessOrEqual: left <= right
      case .greaterOrEqual: left >= right
      case .equal: left == right
      case .less: left < right
      case .greater: left > right
      }
    }
  }

  /// The two sides of a comparison.
  package enum Term: Sendable, Hashable {
    case screen(ThemeDevice.Screen)
    case version(ThemeDevice.Version, places: Int)
    case device(ThemeDevice.Kind)
  }

  package let comparison: Operator
  package let term: Term

  /// The reason why a key that has an operator states no condition.
  package enum Fault: Error, Equatable {
    case subject(String, suggestion: String?)
    case value(String, subject: String, suggestion: String?)
    case comparison(String, subject: String)
  }

  /// Tells whether a key has an operator, so that it is meant to state a condition.
  package static func isMeant(by key: String) -> Bool {
    key.utf8.contains { $0 == 0x3c || $0 == 0x3d || $0 == 0x3e || $0 == 0x21 }
  }

  /// Reads a condition; blanks around its parts do not count.
  package init(_ key: String) throws(Fault) {
    let (subject, sign, value) = Self.parts(key)
    guard ["screen", "ios", "device"].contains(subject) else {
      throw .subject(subject, suggestion: closestMatch(to: subject, among: ["screen", "ios", "device"]))
    }
    guard let comparison = Operator(rawValue: sign) else { throw .comparison(sign, subject: subject) }
    self.comparison = comparison
    switch subject {
    case "screen":
      guard let screen = ThemeDevice.Screen(rawValue: value) else {
        throw .value(value, subject: subject, suggestion: Self.near(value, ThemeDevice.Screen.allCases.map(\.rawValue)))
      }
      term = .screen(screen)
    case "ios":
      guard let version = ThemeDevice.Version(value) else { throw .value(value, subject: subject, suggestion: nil) }
      term = .version(version, places: value.split(separator: ".").count)
    default:
      guard let kind = ThemeDevice.Kind(rawValue: value) else {
        throw .value(value, subject: subject, suggestion: Self.near(value, ThemeDevice.Kind.allCases.map(\.rawValue)))
      }
      guard comparison == .equal || comparison == .notEqual else { throw .comparison(sign, subject: subject) }
      term = .device(kind)
    }
  }

  /// The parts before, in and behind the first run of operator characters.
  private static func parts(_ key: String) -> (subject: String, sign: String, value: String) {
    func isSign(_ byte: UInt8) -> Bool { byte == 0x3c || byte == 0x3d || byte == 0x3e || byte == 0x21 }
    let bytes = Array(key.utf8)
    let start = bytes.firstIndex(where: isSign) ?? bytes.count
    let end = bytes[start...].firstIndex { !isSign($0) } ?? bytes.count
    func text(_ part: ArraySlice<UInt8>) -> String {
      let blanks: Set<UInt8> = [0x20, 0x09]
      let head = part.drop { blanks.contains($0) }
      let tail = head.reversed().drop { blanks.contains($0) }
      return String(decoding: tail.reversed(), as: UTF8.self)
    }
    return (text(bytes[..<start]), text(bytes[start..<end]), text(bytes[end...]))
  }

  private static func near(_ word: String, _ candidates: [String]) -> String? {
    if let found = candidates.first(where: { $0 == word.lowercased() }) { return found }
    // `iphone6` for `phone6` is what people write.
    if word.lowercased().hasPrefix("i"), let found = candidates.first(where: { $0 == word.lowercased().dropFirst() }) {
      return found
    }
    return closestMatch(to: word, among: candidates)
  }

  /// Tells whether it is true of a device; what is not known of a device makes no condition true.
  package func holds(on device: ThemeDevice) -> Bool {
    switch term {
    case .screen(let other):
      guard let screen = device.screen else { return false }
      // Phones and pads have no order among each other: they are different, and that is all.
      guard screen.kind == other.kind else { return comparison == .notEqual }
      return comparison.holds(screen.rank, other.rank)
    case .version(let other, _):
      return device.version.map { comparison.holds($0, other) } ?? false
    case .device(let other):
      return device.kind.map { ($0 == other) == (comparison == .equal) } ?? false
    }
  }
}

extension ThemeCondition: CustomStringConvertible {
  /// Without blanks, as themes write it.
  package var description: String {
    switch term {
    case .screen(let screen): "screen" + comparison.rawValue + screen.rawValue
    case .version(let version, let places):
      "ios" + comparison.rawValue
        + [version.major, version.minor, version.patch].prefix(places).map(String.init).joined(separator: ".")
    case .device(let kind): "device" + comparison.rawValue + kind.rawValue
    }
  }
}
