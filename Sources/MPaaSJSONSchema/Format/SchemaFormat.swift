import MPaaSJSON

/// A word about the form of a value, which JSON Schema or OpenAPI gives a meaning.
struct SchemaFormat: Sendable {
  let name: String
  private let kind: Kind

  private enum Kind: Sendable {
    case text(@Sendable (String) -> Bool)
    case whole(ClosedRange<Double>)
  }

  /// - Returns: nil for a word without a meaning here, which all values keep.
  init?(_ name: String, _ dialect: SchemaDialect) {
    self.name = name
    if let check = Self.texts[name] {
      kind = .text(check)
    } else if name == "int32" {
      kind = .whole(-2_147_483_648...2_147_483_647)
    } else if name == "int64" {
      kind = .whole(-9_223_372_036_854_775_808...9_223_372_036_854_774_784)
    } else {
      return nil
    }
  }

  func takes(_ node: JSONNode) -> Bool {
    switch (kind, node.content) {
    case (.text(let check), .string(let text)): check(text)
    case (.whole(let range), .number(let number)):
      (number.isWhole || ExactDecimal(number).isWhole) && range.contains(number.double)
    default: true
    }
  }

  private static let texts: [String: @Sendable (String) -> Bool] = [
    "date": { DateFormats.isDate($0.utf8) }, "time": { DateFormats.isTime($0.utf8) },
    "date-time": { DateFormats.isDateTime($0.utf8) }, "duration": { DateFormats.isDuration($0.utf8) },
    "email": { AddressFormats.isEmail($0, isInternational: false) },
    "idn-email": { AddressFormats.isEmail($0, isInternational: true) },
    "hostname": { AddressFormats.isHostname($0) }, "idn-hostname": { AddressFormats.isInternationalHostname($0) },
    "ipv4": { AddressFormats.isIPv4($0) }, "ipv6": { AddressFormats.isIPv6($0) },
    "uri": { URIFormats.isURI($0, isInternational: false) },
    "uri-reference": { URIFormats.isReference($0, isInternational: false) },
    "iri": { URIFormats.isURI($0, isInternational: true) },
    "iri-reference": { URIFormats.isReference($0, isInternational: true) },
    "uri-template": { URIFormats.isTemplate($0) }, "uuid": { TextFormats.isUUID($0) },
    "json-pointer": { TextFormats.isPointer($0) },
    "relative-json-pointer": { TextFormats.isRelativePointer($0) }, "regex": { TextFormats.isRegex($0) },
    "byte": { TextFormats.isBase64($0) },
  ]
}
