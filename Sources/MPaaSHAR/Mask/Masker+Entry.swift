import MPaaSJSON
import MPaaSSupport

extension Masker {
  /// The entry without secrets: headers, cookies, parameters and bodies by the rules, all other texts by their form.
  package func entry(_ entry: HAREntry) -> HAREntry { HAREntry(made: members(entry.node, in: "", depth: 0)) }

  /// All entries of a recording without secrets.
  package func file(_ file: HARFile) -> HARFile {
    var masked = file
    masked.entries = file.entries.map { entry($0) }
    return masked
  }

  /// A value of an entry.
  ///
  /// - Parameter name: The member that has the value, or that has the array around it.
  private func members(_ node: JSONNode, in name: String, depth: Int) -> JSONNode {
    guard depth < HARFile.depth else { return JSONNode(text: rules.mask) }
    switch node.content {
    case .string(let value): return JSONNode(.string(text(value)), at: node.position)
    case .array(let elements):
      return JSONNode(.array(elements.map { element($0, of: name, depth: depth + 1) }), at: node.position)
    case .object(let members):
      if name == "postData" || name == "content" { return body(node, depth: depth) }
      let values = members.map { member in
        JSONNode.Member(
          name: member.name, value: self.members(member.value, in: member.name, depth: depth + 1),
          position: member.position, comment: member.comment)
      }
      return JSONNode(.object(values), at: node.position)
    case .null, .bool, .number: return node
    }
  }

  private func element(_ node: JSONNode, of list: String, depth: Int) -> JSONNode {
    guard let name = node["name"]?.string, let value = node["value"]?.string else {
      // Messages of WebSockets have a text of their own.
      guard list == "_webSocketMessages", let data = node["data"]?.string else {
        return members(node, in: "", depth: depth)
      }
      let masked = body(Array(data.utf8), type: nil) ?? []
      return node.replacing("data", with: JSONNode(text: String(decoding: masked, as: UTF8.self)))
    }
    let result: String
    switch list {
    case "headers": result = header(name, value)
    // The value of a cookie is for its server alone; its name says enough.
    case "cookies": result = rules.headers.isEmpty ? text(value) : value.isEmpty ? "" : rules.mask
    case "queryString", "params": result = parameter(name, value)
    default: result = text(value)
    }
    return node.replacing("value", with: JSONNode(text: result))
  }

  /// The body of a request or a response, its text masked by its type.
  private func body(_ node: JSONNode, depth: Int) -> JSONNode {
    var result = node
    if let parameters = node["params"] {
      result = result.replacing("params", with: members(parameters, in: "params", depth: depth + 1))
    }
    guard let text = node["text"]?.string, !text.isEmpty else { return result }
    let member = node["encoding"] == nil ? "_encoding" : "encoding"
    let encoding = node[member]?.string
    let bytes = HARBody.bytes(text, encoding: encoding)
    guard let bytes, let masked = body(bytes, type: node["mimeType"]?.string) else {
      return result.replacing("text", with: JSONNode(text: "")).replacing(member, with: nil)
        .replacing("comment", with: JSONNode(text: "left out: a text that cannot be read"))
    }
    guard masked != bytes else { return result }
    // Base64 stays Base64, so that nothing else changes.
    let isBase64 = encoding?.lowercased() == "base64"
    let written = isBase64 ? Base64.encode(masked) : String(decoding: masked, as: UTF8.self)
    return result.replacing("text", with: JSONNode(text: written))
  }
}
