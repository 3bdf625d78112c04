import MPaaSConfig

/// Writes new values as Xcode does.
struct PBXFormatter {
  let layout: PBXLayout
  let comments: PBXComments

  /// The members whose strings are ids that Xcode writes without a comment.
  private static let silent: Set<String> = [
    "remoteGlobalIDString", "attributes", "buildSettings", "TestTargetID", "shellScript", "name", "path", "isa",
  ]

  /// A string, with the comment that its object has where it is an id.
  func string(_ text: String, key: String) -> String {
    let word = OldStyleWriter.needsQuotes(text) ? OldStyleWriter.quoted(text) : text
    guard !Self.silent.contains(key) else { return word }
    return word + comment(of: text)
  }

  func comment(of id: String) -> String {
    comments.comment(of: id).map { " /* \($0) */" } ?? ""
  }

  /// The text of a value; lines after the first begin with `indent`.
  func value(_ value: PBXValue, key: String, indent: String, isInline: Bool) -> String {
    switch value {
    case .string(let text): return string(text, key: key)
    case .array(let values):
      if isInline { return "(" + values.map { self.value($0, key: key, indent: "", isInline: true) + ", " }.joined() + ")" }
      let inner = indent + layout.unit
      let lines = values.map { inner + self.value($0, key: key, indent: inner, isInline: false) + "," + layout.newline }
      return "(" + layout.newline + lines.joined() + indent + ")"
    case .dictionary(let members):
      let key = Self.silent.contains(key) ? key : nil
      if isInline { return "{" + members.map { member($0, indent: "", isInline: true, under: key) + " " }.joined() + "}" }
      let inner = indent + layout.unit
      let lines = members.map { inner + member($0, indent: inner, isInline: false, under: key) + layout.newline }
      return "{" + layout.newline + lines.joined() + indent + "}"
    }
  }

  /// `key = value;`, where `under` is the key of a member around it in which ids have no comments.
  func member(_ member: PBXMember, indent: String, isInline: Bool, under: String? = nil) -> String {
    let key = OldStyleWriter.needsQuotes(member.key) ? OldStyleWriter.quoted(member.key) : member.key
    return key + " = " + value(member.value, key: under ?? member.key, indent: indent, isInline: isInline) + ";"
  }

  /// An object as it stands in a section.
  func object(_ object: PBXObject, indent: String, isInline: Bool) -> String {
    let id = OldStyleWriter.needsQuotes(object.id) ? OldStyleWriter.quoted(object.id) : object.id
    let body = value(.dictionary(object.members), key: "", indent: indent, isInline: isInline)
    return id + comment(of: object.id) + " = " + body + ";"
  }

  /// The kinds that Xcode writes on one line.
  static func isInline(_ isa: String) -> Bool { isa == "PBXBuildFile" || isa == "PBXFileReference" }
}
