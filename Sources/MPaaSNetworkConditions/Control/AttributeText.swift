package import MPaaSSupport

extension Condition.Attribute {
  /// The value that a person's words mean: a number in the attribute's own unit, or with a unit behind it.
  ///
  /// `1000`, `1s` and `1m30s` for a time in milliseconds, `256kbit`, `1Mbit/s` and `100kB/s` for a rate, `10kB` and
  /// `64KiB` for a size, `2%` and `0.02` for a share.
  ///
  /// - Throws: `net-attribute-text`.
  package func value(of text: String) throws(NetworkError) -> JSONValue {
    guard let value = read(text) else {
      throw NetworkError(.attributeText, ["attribute": name, "value": text, "expected": example])
    }
    return value
  }

  private func read(_ text: String) -> JSONValue? {
    switch unit {
    case .milliseconds: return time(text, 1e3)
    case .microseconds: return time(text, 1e6)
    case .kilobytesPerSecond:
      return Quantity.number(text).flatMap { JSONValue($0) }
        ?? Quantity.rate(text).flatMap { JSONValue(Double($0) / 8000) }
    case .bitsPerSecond: return whole(text) ?? Quantity.rate(text).map { JSONValue($0) }
    case .bytes: return Quantity.size(text).map { JSONValue($0) }
    case .share: return (Quantity.share(text) ?? Quantity.number(text)).flatMap { JSONValue($0) }
    case .packets: return Quantity.number(text).flatMap { JSONValue($0) }
    case .number: return whole(text)
    case .flag:
      switch text.lowercased() {
      case "true", "yes", "on", "1": return true
      case "false", "no", "off", "0": return false
      default: return nil
      }
    case .word(let words): return words.contains(text) ? .string(text) : nil
    case .text: return .string(text)
    case .texts: return Self.texts(text)
    }
  }

  private func whole(_ text: String) -> JSONValue? {
    guard let number = Quantity.number(text), number == number.rounded() else { return nil }
    return JSONValue(number)
  }

  private func time(_ text: String, _ perSecond: Double) -> JSONValue? {
    if let number = Quantity.number(text) { return JSONValue(number) }
    guard let (seconds, attoseconds) = Quantity.duration(text)?.components else { return nil }
    return JSONValue((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) * (perSecond / 1e9))
  }

  /// `Name: value` pairs with semicolons between them.
  private static func texts(_ text: String) -> JSONValue? {
    var object: JSONValue.Object = [:]
    for pair in text.split(separator: ";") {
      let sides = pair.split(separator: ":", maxSplits: 1)
      guard sides.count == 2 else { return nil }
      let trimmed = sides.map { side in
        String(String(side.drop { $0 == " " }.reversed()).drop { $0 == " " }.reversed())
      }
      object[trimmed[0]] = .string(trimmed[1])
    }
    return .object(object)
  }

  /// An example of a value.
  package var example: String {
    switch unit {
    case .milliseconds: "1000, 1s, 50ms"
    case .microseconds: "1000, 1ms, 50us"
    case .kilobytesPerSecond: "100, 256kbit, 1Mbit/s"
    case .bitsPerSecond: "256000, 256kbit, 1Mbit/s"
    case .bytes: "1500, 10kB, 64KiB"
    case .share: "0.02, 2%"
    case .packets: "1, 2.5"
    case .number: "3"
    case .flag: "true, false"
    case .word(let words): words.joined(separator: ", ")
    case .text: "…"
    case .texts: "Retry-After: 5; X-Reason: test"
    }
  }
}

extension Condition.Kind {
  /// The attributes that words such as `latency=1s` say.
  ///
  /// - Throws: `net-attribute-word` for what has no `=`, `net-attribute-unknown`, `net-attribute-text`.
  package func attributes(of words: [String]) throws(NetworkError) -> JSONValue.Object {
    var object: JSONValue.Object = [:]
    for word in words {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2 else { throw NetworkError(.attributeWord, ["word": word]) }
      guard let attribute = attribute(sides[0]) else {
        let known = attributes.map(\.name).joined(separator: ", ")
        throw NetworkError(
          .attributeUnknown,
          ["type": rawValue, "attribute": sides[0], "known": known.isEmpty ? "–" : known])
      }
      object[sides[0]] = try attribute.value(of: sides[1])
    }
    return object
  }
}

extension NetworkError.Code {
  /// A value of an attribute that is none.
  package static var attributeText: Self { NetworkError.Code("net-attribute-text", exit: .usage) }
  /// A word that is not `name=value`.
  package static var attributeWord: Self { NetworkError.Code("net-attribute-word", exit: .usage) }
}
