import MPaaSSupport

/// One difference between what is expected and what came.
package struct PactMismatch: Error, Sendable, Equatable {
  package enum Part: String, Sendable {
    case method, path, query, header, status, body
    case bodyContentType = "body-content-type"
    case metadata
  }

  package let part: Part
  /// The place in a body; the name of a header, of a parameter or of metadata; empty for others.
  package let path: String
  package let reason: PactReason
  /// The values that the sentence names.
  package let values: [String: String]

  package init(_ part: Part, _ path: String = "", _ reason: PactReason, _ values: [String: String] = [:]) {
    self.part = part
    self.path = path
    self.reason = reason
    self.values = values
  }

  init(_ part: Part, _ path: String = "", _ fault: PactFault) {
    self.init(part, path, fault.reason, fault.values)
  }

  /// The most differences that a comparison tells.
  package static let most = 1000

  /// The sentence in English.
  package var description: String { Self.fill(reason.sentence, values) }

  /// A sentence with values in the places of their names.
  package static func fill(_ sentence: String, _ values: [String: String]) -> String {
    var text = ""
    var rest = sentence[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      text += values[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}

/// The reason why one rule does not hold for a value.
struct PactFault: Error, Equatable {
  let reason: PactReason
  let values: [String: String]

  init(_ reason: PactReason, _ values: [String: String] = [:]) {
    self.reason = reason
    self.values = values
  }
}
