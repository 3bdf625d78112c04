/// A change of an environment's flags as it is asked for: the events of Unleash's delta, or a version to go back to.
///
/// The events are kept as JSON text, so that features arrive as they were written.
package struct FlagChangeRequest: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// A JSON array of events: `feature-updated`, `feature-removed`, `segment-updated`, `segment-removed`, `hydration`.
    case events(String)
    case rollback(Int)
  }

  package var content: Content
  package var comment: String
  /// The version that the change was made from; nil where any will do.
  package var base: Int?
  /// The time at which a proposal is to be published, in seconds since 1970.
  package var at: Double?

  package init(_ content: Content, comment: String = "", base: Int? = nil, at: Double? = nil) {
    self.content = content
    self.comment = comment
    self.base = base
    self.at = at
  }

  /// The body of the request.
  package var json: String {
    var members = ["\"comment\":\(Self.quoted(comment))"]
    if let base { members.append("\"base\":\(base)") }
    if let at, at.isFinite { members.append("\"at\":\(at)") }
    switch content {
    case .events(let events): members.append("\"events\":\(events)")
    case .rollback(let version): members.append("\"rollback\":\(version)")
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// A text as a JSON string (RFC 8259, section 7).
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
