import MPaaSJSON

/// A way of making a value anew each time.
package enum PactGenerator: Sendable, Equatable {
  case randomInt(min: Int, max: Int)
  /// So many digits, with a point among them.
  case randomDecimal(digits: Int)
  case randomHexadecimal(digits: Int)
  case randomString(size: Int)
  case regex(String)
  case uuid(UUIDFormat)
  case date(Moment)
  case time(Moment)
  case dateTime(Moment)
  case randomBoolean
  /// A text with `${name}`, filled by what the provider's state gives.
  case providerState(expression: String, dataType: String?)
  /// The address of the mock, with the end of an example that the first group of the expression matches.
  case mockServerURL(regex: String, example: String)

  /// The format of a date or time, and the expression that moves it.
  package struct Moment: Sendable, Equatable {
    package var format: String?
    package var expression: String?

    package init(format: String? = nil, expression: String? = nil) {
      self.format = format
      self.expression = expression
    }
  }

  package enum UUIDFormat: String, Sendable {
    case simple
    case lower = "lower-case-hyphenated"
    case upper = "upper-case-hyphenated"
    case urn = "URN"
  }

  /// The most digits and characters of what is generated.
  package static let greatestSize = 1 << 16
}

/// The generators of a request, a response or a message, by part and path.
package struct PactGenerators: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The expression, or the name of a header or of a parameter; empty where the part is the place.
    package let name: String
    package let path: PactPath
    package let generator: PactGenerator
  }

  package private(set) var parts: [PactRules.Part: [Entry]] = [:]

  package init() {}

  package subscript(_ part: PactRules.Part) -> [Entry] { parts[part] ?? [] }

  package var isEmpty: Bool { parts.values.allSatisfy(\.isEmpty) }

  mutating func add(_ entry: Entry, to part: PactRules.Part) { parts[part, default: []].append(entry) }
}
