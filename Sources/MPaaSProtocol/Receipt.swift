/// The answer of the server once a thing is stored: it is durable when this is sent.
package struct Receipt: Codable, Sendable, Equatable {
  package var id: String
  /// Tells whether the same had been stored before.
  package var duplicate: Bool
  /// The group of a crash.
  package var group: String?
  /// The digest of the bytes as stored, in lower-case hexadecimal.
  package var sha256: String?
  package var size: Int64?

  package init(id: String, duplicate: Bool = false, group: String? = nil, sha256: String? = nil, size: Int64? = nil) {
    self.id = id
    self.duplicate = duplicate
    self.group = group
    self.sha256 = sha256
    self.size = size
  }
}

/// The answer of the server where it takes nothing.
package struct ServerRefusal: Codable, Sendable, Equatable {
  /// The stable word, which `mpaas explain` knows, and one sentence.
  package var code: String
  package var message: String
  /// The steps of an explanation; nil where the sentence says all.
  package var explanation: [String]?

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// The meaning of a status that is no success, for those who ask the server.
  package enum Meaning: Sendable {
    case notPermitted, unknown, busy, tooLarge, refused

    package init(status: Int) {
      switch status {
      case 401, 403: self = .notPermitted
      case 404, 410: self = .unknown
      case 408, 425, 429, 500...599: self = .busy
      case 413: self = .tooLarge
      default: self = .refused
      }
    }
  }
}
