package import MPaaSSupport

/// The limits of a strict JSON document.
package struct JSONLimits: Sendable {
  /// The document's size in bytes.
  package var size: Int
  /// The greatest depth of objects and arrays.
  package var depth: Int
  /// Tells whether whole numbers below 0 may stand in it.
  package var allowsNegative: Bool

  package init(size: Int = 1 << 26, depth: Int = 16, allowsNegative: Bool = false) {
    self.size = size
    self.depth = depth
    self.allowsNegative = allowsNegative
  }
}

extension JSONValue {
  /// Reads a document that every JSON reader understands alike, or refuses it.
  ///
  /// It is RFC 8259 without anything that readers treat differently: no name twice in an object, no byte order mark,
  /// only whole numbers of at most 2^53 - 1 (I-JSON, RFC 7493 section 2.2) without sign, fraction and exponent, UTF-8
  /// without errors, and strings that are composed and hold no control characters.
  ///
  /// - Parameter file: What the document's place is called in errors.
  /// - Throws: `TrustError` `json-key-twice`, `json-not-strict`, `json-number-range`, `json-too-deep`,
  ///   `json-string-not-clean` or `json-too-large`, with the values `offset`, `line` and `column`.
  package init(
    strict bytes: UnsafeRawBufferPointer, _ limits: JSONLimits = JSONLimits(), file: String? = nil
  ) throws(TrustError) {
    guard bytes.count <= limits.size else {
      throw TrustError(.jsonTooLarge, ["size": String(bytes.count), "limit": String(limits.size)])
    }
    let rules = JSONRules(depth: limits.depth, isStrict: true, allowsNegative: limits.allowsNegative)
    do {
      try self.init(reading: bytes, by: rules)
    } catch {
      let values = [
        "offset": String(error.offset), "line": String(error.line), "column": String(error.column),
        "problem": error.code.rawValue, "limit": String(limits.depth),
      ]
      let place = file.map { Place.text(file: $0, line: error.line, column: error.column) }
      throw TrustError(error.code.trust, values, at: place)
    }
  }
}

extension JSONError.Code {
  fileprivate var trust: TrustError.Code {
    switch self {
    case .nameTwice: .jsonKeyTwice
    case .outOfRange: .jsonNumberRange
    case .tooDeep: .jsonTooDeep
    case .uncleanString: .jsonStringNotClean
    case .endOfInput, .unexpectedByte, .badNumber, .badEscape, .trailingBytes, .notWhole, .notUTF8: .jsonNotStrict
    }
  }
}

extension TrustError.Code {
  package static let jsonKeyTwice = malformed("json-key-twice")
  package static let jsonNotStrict = malformed("json-not-strict")
  package static let jsonNumberRange = malformed("json-number-range")
  package static let jsonTooDeep = malformed("json-too-deep")
  package static let jsonStringNotClean = malformed("json-string-not-clean")
  package static let jsonTooLarge = malformed("json-too-large")
}
