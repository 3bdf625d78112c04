import MPaaSSupport

/// Writes JSON as Xcode lays out catalogues: `"name" : value`, two spaces a level, an empty line in empty objects.
struct CatalogWriter {
  var newline = "\n"
  var unit = "  "
  var colon = " : "

  /// The text of a value; lines after the first begin with `indent`.
  func text(_ node: CatalogNode, indent: String = "") -> String {
    switch node {
    case .string(let text): return quoted(text)
    case .word(let word): return word
    case .array(let values):
      guard !values.isEmpty else { return "[" + newline + newline + indent + "]" }
      let lines = values.map { newline + indent + unit + text($0, indent: indent + unit) }
      return "[" + lines.joined(separator: ",") + newline + indent + "]"
    case .object(let object):
      guard !object.members.isEmpty else { return "{" + newline + newline + indent + "}" }
      let lines = object.members.map { newline + indent + unit + member($0, indent: indent + unit) }
      return "{" + lines.joined(separator: ",") + newline + indent + "}"
    }
  }

  func member(_ member: CatalogObject.Member, indent: String) -> String {
    quoted(member.name) + colon + text(member.value, indent: indent)
  }

  private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONValue.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
