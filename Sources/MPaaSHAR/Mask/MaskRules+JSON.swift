import MPaaSJSON
import MPaaSSupport

extension MaskRules {
  /// Reads rules from JSON: what the file lists comes to the usual rules, unless it says `"usual": false`.
  ///
  /// ```json
  /// {"headers": ["x-tenant"], "names": ["idNumber"], "paths": ["user.phone"], "cards": true, "tokens": true}
  /// ```
  ///
  /// - Throws: `HARError` `har-rules` for bytes that are no such object, and for members that are not known.
  package init(json bytes: [UInt8], file: String) throws(HARError) {
    let root: JSONNode
    do throws(JSONSyntaxError) {
      root = try JSONSource(parsing: bytes, file: file, .annotated).root
    } catch {
      throw Self.error("json", file, error.position)
    }
    guard let members = root.members else { throw Self.error("object", file, root.position) }
    self = root["usual"]?.bool == false ? .none : .usual
    if root["usual"]?.bool == false { (masksCards, masksTokens) = (true, true) }
    for member in members {
      switch (member.name, member.value.content) {
      case ("usual", .bool): break
      case ("cards", .bool(let value)): masksCards = value
      case ("tokens", .bool(let value)): masksTokens = value
      case ("mask", .string(let text)) where !text.isEmpty: mask = text
      case ("headers", .array): headers += try Self.list(member, file).map { $0.lowercased() }
      case ("names", .array): names += try Self.list(member, file).map { $0.lowercased() }
      case ("paths", .array): paths += try Self.list(member, file)
      default: throw Self.error(member.name, file, member.position)
      }
    }
  }

  private static func list(_ member: JSONNode.Member, _ file: String) throws(HARError) -> [String] {
    var texts: [String] = []
    for element in member.value.elements ?? [] {
      guard let text = element.string, !text.isEmpty else { throw error(member.name, file, element.position) }
      texts.append(text)
    }
    return texts
  }

  private static func error(_ member: String, _ file: String, _ position: TextPosition) -> HARError {
    HARError(.rules, ["member": member], at: .text(file: file, line: position.line, column: position.column))
  }
}
