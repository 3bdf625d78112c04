package import MPaaSJSON
import MPaaSPattern
package import MPaaSRandom
import MPaaSSupport

/// The making of values in the place of examples.
package struct PactGeneration: Sendable {
  /// The side that values are made for.
  package enum Side: Sendable {
    /// A mock answers a consumer.
    case consumer
    /// A verification asks a provider.
    case provider
  }

  package var side: Side
  /// The values that the provider's states gave, by name.
  package var values: [JSONNode.Member]
  /// The address of the mock; empty where there is none.
  package var mockURL: String
  /// Milliseconds since 1970 that dates without a base of their own begin from.
  package var now: Int
  package var random: SplitMix64

  package init(
    _ side: Side, values: [JSONNode.Member] = [], mockURL: String = "", now: Int,
    random: SplitMix64 = SplitMix64(seed: nil)
  ) {
    self.side = side
    self.values = values
    self.mockURL = mockURL
    self.now = now
    self.random = random
  }

  /// A value of a generator; nil where it is for the other side or lacks what it needs.
  package mutating func value(_ generator: PactGenerator, example: JSONNode?) throws(PactError) -> JSONNode? {
    switch generator {
    case .randomInt(let least, let most): return .number(JSONNumber(Int.random(in: least...most, using: &random)))
    case .randomDecimal(let digits): return decimal(digits)
    case .randomHexadecimal(let digits): return .text(characters("0123456789ABCDEF", digits))
    case .randomString(let size):
      return .text(characters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", size))
    case .regex(let regex):
      do throws(PatternError) { return .text(try PatternSample(regex).text(using: &random)) } catch {
        throw PactError(.generator, ["generator": "Regex \(regex)"])
      }
    case .uuid(let format): return .text(uuid(format))
    case .date(let moment): return try date(moment, "yyyy-MM-dd", .date)
    case .time(let moment): return try date(moment, "HH:mm:ss", .time)
    case .dateTime(let moment): return try date(moment, "yyyy-MM-dd'T'HH:mm:ss", .dateTime)
    case .randomBoolean: return JSONNode(.bool(Bool.random(using: &random)))
    case .providerState(let expression, let dataType):
      return side == .provider ? filled(expression, dataType) : nil
    case .mockServerURL(let regex, let example):
      guard side == .consumer, !mockURL.isEmpty else { return nil }
      return .text(MockURL.replacing(mockURL, in: example, regex))
    }
  }

  // MARK: Kinds

  private mutating func characters(_ alphabet: String, _ count: Int) -> String {
    let letters = Array(alphabet)
    return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
  }

  /// So many digits, no zero in front, with a point before one of them.
  private mutating func decimal(_ count: Int) -> JSONNode {
    guard count > 1 else { return .number(JSONNumber("0.\(characters("123456789", 1))") ?? JSONNumber(0)) }
    let digits = characters("123456789", 1) + characters("0123456789", count - 2) + characters("123456789", 1)
    let place = Int.random(in: 1..<count, using: &random)
    return .number(JSONNumber("\(digits.prefix(place)).\(digits.dropFirst(place))") ?? JSONNumber(0))
  }

  private mutating func uuid(_ format: PactGenerator.UUIDFormat) -> String {
    // RFC 9562, version 4: random but for four bits of the version and two of the variant.
    let high = random.next() & ~0xf000 | 0x4000
    let low = random.next() & ~(3 << 62) | 2 << 62
    let digits = high.padded(to: 16, radix: 16) + low.padded(to: 16, radix: 16)
    return switch format {
    case .simple: digits
    case .lower: digits.dashedUUID
    case .upper: digits.dashedUUID.uppercased()
    case .urn: "urn:uuid:\(digits.dashedUUID)"
    }
  }

  private func date(
    _ moment: PactGenerator.Moment, _ usual: String, _ kind: DateExpression.Kind
  ) throws(PactError) -> JSONNode {
    let text = moment.format ?? usual
    guard let format = DateFormat(text) else { throw PactError(.generator, ["generator": text]) }
    var base = DateFormat.Moment(millisecondsSince1970: now)
    if let expression = moment.expression { base = try DateExpression(expression, kind).moment(from: base) }
    return .text(format.text(base))
  }

  // MARK: States

  /// A text with the values of states in it; one that is a single name keeps the type of its value.
  private func filled(_ expression: String, _ dataType: String?) -> JSONNode? {
    func value(_ name: Substring) -> JSONNode? { values.last { $0.name == name }?.value }
    if expression.hasPrefix("${"), expression.hasSuffix("}"), !expression.dropFirst(2).dropLast().contains("$") {
      return value(expression.dropFirst(2).dropLast()).map { $0.as(dataType) }
    }
    if !expression.contains("$") { return value(expression[...]).map { $0.as(dataType) } ?? nil }
    var text = ""
    var rest = expression[...]
    while let open = rest.firstPlace(of: "${"), let close = rest[open.upperBound...].firstIndex(of: "}") {
      guard let value = value(rest[open.upperBound..<close]) else { return nil }
      text += rest[..<open.lowerBound] + value.plain
      rest = rest[rest.index(after: close)...]
    }
    return JSONNode.text(text + rest).as(dataType)
  }
}

extension JSONNode {
  static func number(_ number: JSONNumber) -> JSONNode { JSONNode(.number(number)) }

  /// The value as a data type of a state names it; as it is where it cannot be that.
  fileprivate func `as`(_ dataType: String?) -> JSONNode {
    switch dataType {
    case "STRING": .text(plain)
    case "INTEGER", "DECIMAL", "FLOAT": JSONNumber(plain).map { .number($0) } ?? self
    case "BOOLEAN": ["true", "false"].contains(plain) ? JSONNode(.bool(plain == "true")) : self
    default: self
    }
  }
}

/// Addresses that lead to the mock instead of the service of an example.
enum MockURL {
  /// The longest example that is taken apart by its expression.
  private static let longest = 512

  /// The address of the mock with the part of an example that the first group of an expression matches.
  static func replacing(_ url: String, in example: String, _ regex: String) -> String {
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    let end = group(of: regex, in: example) ?? path(of: example)
    return base + (end.hasPrefix("/") || end.isEmpty ? "" : "/") + end
  }

  /// The shortest end of the example that the first group and what follows it match.
  ///
  /// Before the group stands `.*` in all that writers make, which takes as much as it can.
  private static func group(of regex: String, in example: String) -> String? {
    guard let (before, inner, after) = split(regex), example.utf8.count <= longest else { return nil }
    guard let head = try? Pattern("^(?:\(before))$"), let middle = try? Pattern("^(?:\(inner))$"),
      let tail = try? Pattern("^(?:\(after))$")
    else { return nil }
    let places = Array(example.indices) + [example.endIndex]
    for start in places.reversed() where head.matches(String(example[..<start])) {
      for end in places.reversed() where end >= start {
        if tail.matches(String(example[end...])), middle.matches(String(example[start..<end])) {
          return String(example[start..<end])
        }
        if after.isEmpty || after == "$" { break }
      }
    }
    return nil
  }

  /// The expression before its first group, in it and behind it.
  private static func split(_ regex: String) -> (String, String, String)? {
    let letters = Array(regex)
    var (depth, start, isClass) = (0, 0, false)
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      if letter == "\\" {
        index += 1
      } else if letter == "[" {
        isClass = true
      } else if letter == "]" {
        isClass = false
      }
      if letter == "(", !isClass {
        if depth == 0 { start = index }
        depth += 1
      }
      if letter == ")", !isClass {
        depth -= 1
        if depth == 0 {
          return (
            String(letters[..<start]), String(letters[(start + 1)..<index]), String(letters[(index + 1)...])
          )
        }
      }
      index += 1
    }
    return nil
  }

  /// The path and the query of an address.
  private static func path(of url: String) -> String {
    guard let scheme = url.firstPlace(of: "://") else { return url }
    return String(url[scheme.upperBound...].drop { $0 != "/" })
  }
}
