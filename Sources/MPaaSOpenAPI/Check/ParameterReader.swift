import MPaaSJSON
import MPaaSSupport

/// Reads values that are written in one of the styles of OpenAPI.
///
/// - Source: OpenAPI 3.2.0, "Style Values" and "Style Examples"; RFC 6570.
struct ParameterReader: Sendable {
  let name: String
  let style: OpenAPIStyle
  let explodes: Bool
  let shape: ValueShape

  /// The value of a text that is a whole segment of a path, or a header.
  func value(ofPart text: Substring) -> JSONNode? {
    switch style {
    case .label:
      guard text.first == "." else { return nil }
      return split(text.dropFirst(), at: explodes ? "." : ",", isLabel: true)
    case .matrix: return matrix(text)
    default: return split(text, at: ",")
    }
  }

  private func matrix(_ text: Substring) -> JSONNode? {
    guard text.first == ";" else { return nil }
    let pairs = text.dropFirst().split(separator: ";", omittingEmptySubsequences: false).map { Self.pair($0) }
    if explodes, shape.kind == .object { return object(pairs.map { (Self.decoded($0.name), $0.value) }) }
    guard pairs.allSatisfy({ Self.decoded($0.name) == name }), let first = pairs.first else { return nil }
    guard explodes, shape.kind == .array else { return split(first.value, at: ",") }
    return array(pairs.map(\.value))
  }

  private static func pair(_ text: Substring) -> (name: Substring, value: Substring) {
    guard let equals = text.firstIndex(of: "=") else { return (text, "") }
    return (text[..<equals], text[text.index(after: equals)...])
  }

  private func split(_ text: Substring, at separator: Character, isLabel: Bool = false) -> JSONNode? {
    switch shape.kind {
    case .scalar: return shape.scalar(Self.decoded(text))
    case .array:
      // Labels with a comma, and without it as older readers write them.
      return array(text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false))
    case .object:
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      if explodes {
        let pairs = parts.map { Self.pair($0) }
        return object(pairs.map { (Self.decoded($0.name), $0.value) })
      }
      return object(inTurn: parts)
    }
  }

  /// Names and values in turn; nil where one is left over.
  private func object(inTurn parts: [Substring]) -> JSONNode? {
    guard parts.count % 2 == 0 else { return nil }
    return object(stride(from: 0, to: parts.count, by: 2).map { (Self.decoded(parts[$0]), parts[$0 + 1]) })
  }

  private func array(_ parts: [Substring]) -> JSONNode {
    let element = shape.elements.first ?? .text
    return JSONNode(.array(parts.map { element.scalar(Self.decoded($0)) }))
  }

  private func object(_ pairs: [(name: String, value: Substring)]) -> JSONNode {
    var members: [JSONNode.Member] = []
    for (name, value) in pairs where !members.contains(where: { $0.name == name }) {
      members.append(JSONNode.Member(name: name, value: shape.member(name).value(Self.decoded(value))))
    }
    return JSONNode(.object(members))
  }

  static func decoded(_ text: some StringProtocol) -> String {
    text.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decodeLeniently(text.utf8) : String(text)
  }

  // MARK: Queries and forms

  /// The value in a query; nil where it is not there.
  func value(in query: FormFields) -> Reading {
    switch style {
    case .deepObject: return deepObject(query)
    case .form, .cookie, .spaceDelimited, .pipeDelimited, .simple, .label, .matrix:
      if explodes, shape.kind == .object, style == .form || style == .cookie { return spread(query) }
      let found = query.values(of: name)
      guard let first = found.first else { return .missing }
      switch shape.kind {
      case .scalar: return .value(shape.scalar(FormFields.decoded(found.last ?? first)))
      case .array:
        if explodes || found.count > 1 {
          let element = shape.elements.first ?? .text
          return .value(JSONNode(.array(found.map { element.scalar(FormFields.decoded($0)) })))
        }
        return .value(formArray(parts(first)))
      case .object: return formObject(parts(first)).map { .value($0) } ?? .malformed
      }
    }
  }

  enum Reading {
    case missing
    case malformed
    case value(JSONNode)
  }

  private func formArray(_ parts: [Substring]) -> JSONNode {
    let element = shape.elements.first ?? .text
    return JSONNode(.array(parts.map { element.scalar(FormFields.decoded($0)) }))
  }

  private func formObject(_ parts: [Substring]) -> JSONNode? {
    guard parts.count % 2 == 0 else { return nil }
    return object(stride(from: 0, to: parts.count, by: 2).map { (FormFields.decoded(parts[$0]), parts[$0 + 1]) })
  }

  /// The parts of a value, which are decoded only when they are apart.
  private func parts(_ text: Substring) -> [Substring] {
    switch style {
    case .spaceDelimited: Self.split(text, ["%20", "+", " "])
    case .pipeDelimited: Self.split(text, ["%7C", "%7c", "|"])
    default: text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
    }
  }

  private static func split(_ text: Substring, _ separators: [String]) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var place = text.startIndex
    while place < text.endIndex {
      if let separator = separators.first(where: { text[place...].hasPrefix($0) }) {
        parts.append(text[start..<place])
        place = text.index(place, offsetBy: separator.count)
        start = place
      } else {
        place = text.index(after: place)
      }
    }
    return parts + [text[start...]]
  }

  /// An object whose members stand as fields of their own.
  private func spread(_ query: FormFields) -> Reading {
    var members: [JSONNode.Member] = []
    for name in shape.members.keys.sorted() {
      let found = query.values(of: name)
      guard let last = found.last, let member = shape.members[name] else { continue }
      let element = member.elements.first ?? .text
      let value =
        member.kind == .array
        ? JSONNode(.array(found.map { element.scalar(FormFields.decoded($0)) }))
        : member.scalar(FormFields.decoded(last))
      members.append(JSONNode.Member(name: name, value: value))
    }
    return members.isEmpty ? .missing : .value(JSONNode(.object(members)))
  }

  /// `v[r]=1&v[g]=2`, and deeper in the same way.
  private func deepObject(_ query: FormFields) -> Reading {
    var members: [(path: [String], value: String)] = []
    for field in query.fields {
      let key = FormFields.decoded(field.name)
      guard key.hasPrefix(name + "["), key.hasSuffix("]") else { continue }
      let inside = key.dropFirst(name.count + 1).dropLast()
      members.append((inside.components(separatedBy: "]["), FormFields.decoded(field.value)))
    }
    guard !members.isEmpty else { return .missing }
    return .value(Self.tree(members, shape, depth: 0))
  }

  private static func tree(_ members: [(path: [String], value: String)], _ shape: ValueShape, depth: Int) -> JSONNode {
    var names: [String] = []
    for name in members.compactMap(\.path.first) where !names.contains(name) { names.append(name) }
    if shape.kind == .array {
      let element = shape.elements.first ?? .text
      return JSONNode(.array(members.map { element.scalar($0.value) }))
    }
    return JSONNode(
      .object(
        names.map { name in
          let own = members.filter { $0.path.first == name }
          let member = shape.member(name)
          let deeper = own.filter { $0.path.count > 1 }
          if !deeper.isEmpty, depth < 8 {
            let rest = deeper.map { (path: Array($0.path.dropFirst()), value: $0.value) }
            return JSONNode.Member(name: name, value: tree(rest, member, depth: depth + 1))
          }
          guard member.kind == .array else {
            return JSONNode.Member(name: name, value: member.scalar(own.last?.value ?? ""))
          }
          let element = member.elements.first ?? .text
          return JSONNode.Member(name: name, value: JSONNode(.array(own.map { element.scalar($0.value) })))
        }))
  }
}
