import HTTPTypes
import MPaaSFlagTools
import MPaaSFlags

extension FlagPages {
  /// The fields of a form that changes flags.
  struct Draft: Sendable {
    var name = ""
    var enabled = ""
    var rollout = ""
    var value = ""
    var comment = ""
    /// The version that the form was made from.
    var base: Int?
    /// True where the change is to be proposed, and not made.
    var isProposal = false
    /// The reason why it was not taken.
    var problem: String?
    var status = HTTPResponse.Status.ok

    init() {}

    /// The form of a flag as it is.
    init(_ flag: FlagDefinition, version: Int) {
      (name, enabled, base) = (flag.name, flag.isEnabled ? "true" : "false", version)
      rollout = flag.rollouts.first?.parameters["rollout"] ?? ""
      value = Self.lines(flag.variants.first?.payload?.value ?? "")
    }

    /// The fields that a browser sent.
    init(_ form: Form) {
      (name, enabled, rollout, comment) = (form["name"], form["enabled"], form["rollout"], form["comment"])
      (value, base, isProposal) = (Self.lines(form["value"]), Int(form["base"]), form["way"] == "propose")
    }

    /// The change of a flag that the form asks for: what differs from the flag as it is.
    ///
    /// - Parameter flag: Nil for a new one.
    func amendment(of flag: FlagDefinition?) -> FlagAmendment {
      let before = flag.map { Draft($0, version: 0) } ?? Draft()
      var amendment = FlagAmendment()
      if !enabled.isEmpty, enabled != before.enabled { amendment.isEnabled = enabled == "true" }
      if rollout != before.rollout, let percent = Int(rollout) { amendment.rollout = percent }
      if value != before.value, flag?.hasOneValue ?? true { amendment.value = value }
      return amendment
    }

    /// A text as forms have it: without white space around it, and with line ends of one kind.
    private static func lines(_ text: String) -> String {
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n")
      let start = lines.drop(while: \.isWhitespace)
      return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
  }
}
