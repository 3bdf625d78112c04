package import MPaaSJSON

/// A value that a template works with.
package indirect enum TemplateValue: Sendable {
  case nothing
  case text(String)
  case json(JSONNode)
  /// Values of one name: shown as the first, reached by their numbers.
  case values([String])
  /// Members in order; names of headers have no case.
  case members([(name: String, value: TemplateValue)], ignoresCase: Bool)
  case list([TemplateValue])
  /// A text that has members, too.
  case shown(String, members: [(name: String, value: TemplateValue)])
  case time(MockTime)

  package static func number(_ value: Double) -> TemplateValue { .json(.number(value)) }
  package static func flag(_ flag: Bool) -> TemplateValue { .json(.flag(flag)) }

  /// The value as a template shows it.
  package var text: String {
    switch self {
    case .nothing: ""
    case .text(let text): text
    case .json(let node): node.isNull ? "" : node.plainText
    case .values(let values): values.first ?? ""
    case .members, .list: node.line
    case .shown(let text, _): text
    case .time(let time): time.text
    }
  }

  /// The value as JSON.
  package var node: JSONNode {
    switch self {
    case .nothing: .null
    case .text(let text): .text(text)
    case .json(let node): node
    case .values(let values): values.count == 1 ? .text(values[0]) : .list(values.map { .text($0) })
    case .members(let members, _): .members(members.map { ($0.name, $0.value.node) })
    case .list(let values): .list(values.map(\.node))
    case .shown(let text, _): .text(text)
    case .time(let time): .text(time.text)
    }
  }

  /// True where `if` takes the value for true, as in Handlebars: not for nothing, false, 0, an empty text or list.
  var isTrue: Bool {
    switch self {
    case .nothing: false
    case .text(let text): !text.isEmpty
    case .json(let node):
      switch node.content {
      case .null: false
      case .bool(let flag): flag
      case .number(let number): number.double != 0
      case .string(let text): !text.isEmpty
      case .array(let elements): !elements.isEmpty
      case .object: true
      }
    case .values(let values): values.contains { !$0.isEmpty }
    case .members: true
    case .list(let values): !values.isEmpty
    case .shown(let text, _): !text.isEmpty
    case .time: true
    }
  }

  /// The number that the value is or says.
  var double: Double? {
    switch self {
    case .json(let node): node.number?.double ?? node.string.flatMap { JSONNumber.lenient($0)?.double }
    case .text, .values: JSONNumber.lenient(text)?.double
    case .time(let time): time.seconds * 1000
    default: nil
    }
  }

  var whole: Int? { double.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

  /// The elements of a list; nil for what is none.
  var elements: [TemplateValue]? {
    switch self {
    case .list(let values): values
    case .json(let node): node.elements?.map { .json($0) }
    case .values(let values): values.map { .text($0) }
    default: nil
    }
  }

  var pairs: [(name: String, value: TemplateValue)]? {
    switch self {
    case .members(let members, _): members
    case .json(let node): node.members?.map { ($0.name, .json($0.value)) }
    default: nil
    }
  }

  /// The member of a name or a number.
  func member(_ name: String) -> TemplateValue {
    switch self {
    case .members(let members, let ignoresCase):
      return members.first { $0.name == name || (ignoresCase && MockRequest.isSame($0.name, name)) }?.value ?? .nothing
    case .shown(_, let members): return members.first { $0.name == name }?.value ?? .nothing
    case .json(let node):
      if let value = node[name] { return .json(value) }
    default: break
    }
    guard let elements else { return .nothing }
    switch name {
    case "length", "size": return .json(.whole(elements.count))
    case "first": return elements.first ?? .nothing
    case "last": return elements.last ?? .nothing
    default: break
    }
    guard let index = Int(name) else { return .nothing }
    let place = index < 0 ? elements.count + index : index
    return elements.indices.contains(place) ? elements[place] : .nothing
  }
}
