import MPaaSSupport

/// A request as it came, with nothing decoded.
package struct OpenAPIRequest: Sendable {
  /// In capitals.
  package let method: String
  package let path: String
  /// The text after the question mark; nil without one.
  package let query: String?
  package let headers: OpenAPIHeaders
  package let body: [UInt8]

  /// - Parameter target: The path, and the query behind a question mark.
  package init(method: String, target: String, headers: OpenAPIHeaders, body: [UInt8] = []) {
    self.method = method
    self.headers = headers
    self.body = body
    let bare = target.prefix { $0 != "#" }
    if let mark = bare.firstIndex(of: "?") {
      path = String(bare[..<mark])
      query = String(bare[bare.index(after: mark)...])
    } else {
      path = String(bare)
      query = nil
    }
  }
}

/// An answer to a request.
package struct OpenAPIAnswer: Sendable, Equatable {
  package var status: Int
  package var headers: OpenAPIHeaders
  package var body: [UInt8]

  package init(status: Int, headers: OpenAPIHeaders = OpenAPIHeaders([]), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Headers in their order; names are the same in capitals and in small letters.
package struct OpenAPIHeaders: Sendable, Equatable {
  package private(set) var fields: [(name: String, value: String)]

  package init(_ fields: [(name: String, value: String)]) {
    self.fields = fields
  }

  /// All values of a name, joined as RFC 9110 section 5.3 lets them be.
  package subscript(_ name: String) -> String? {
    var found: String?
    for field in fields where Self.isSame(field.name, name) {
      found = found.map { $0 + ", " + field.value } ?? field.value
    }
    return found
  }

  package mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).allSatisfy { left, right in
      left == right || ((left ^ right) == 0x20 && (left | 0x20) &- 0x61 < 26)
    }
  }

  package static func == (left: OpenAPIHeaders, right: OpenAPIHeaders) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  /// The cookies of a request, not decoded.
  package var cookies: [(name: String, value: String)] {
    (self["cookie"] ?? "").split(separator: ";").compactMap { part in
      let bare = part.drop { $0 == " " }
      guard let equals = bare.firstIndex(of: "=") else { return nil }
      return (String(bare[..<equals]), String(bare[equals...].dropFirst()))
    }
  }
}

/// Something in a request or in an answer that its description does not allow.
package struct OpenAPIIssue: Sendable, Equatable {
  package enum Severity: String, Sendable, Encodable { case error = "Error", warning = "Warning" }

  /// The place: `query`, `header`, `path`, `cookie` or `body`, and the names that lead on.
  package let location: [String]
  package let severity: Severity
  /// The word of the schema, or `required`, `deprecated`, `security`, `content`.
  package let code: String
  /// The sentence in English, without a subject.
  package let message: String

  package init(location: [String], severity: Severity = .error, code: String, message: String) {
    self.location = location
    self.severity = severity
    self.code = code
    self.message = message
  }
}
