package import MPaaSJSON
import MPaaSSupport

/// Reads a YAML 1.2 document into the values of JSON, with their places.
///
/// Types follow from the core schema. Keys without quotes are names as they are written, so that `200:` is the member
/// `200`. Merge keys (`<<`) of YAML 1.1 are applied: what stands in the mapping itself wins, then the first of several.
/// Documents that JSON cannot express are refused: other keys, infinities, tags of one's own, a key twice, a second document.
///
/// - Source: https://yaml.org/spec/1.2.2/, section 10.3; https://yaml.org/type/merge.html.
package enum YAMLReader {
  /// The greatest depth of mappings and sequences.
  package static let depth = 512
  /// The most values that all aliases of a document may stand for.
  package static let mostAliased = 200_000

  /// Reads the only document of a text; an empty one is null.
  ///
  /// - Parameter file: The name of the text in errors.
  /// - Throws: `YAMLError` with line and column.
  package static func read(_ bytes: [UInt8], file: String) throws(YAMLError) -> JSONSource {
    var builder = YAMLBuilder(YAMLEventReader(bytes, file: file))
    return JSONSource(file: file, root: try builder.document())
  }
}

/// Builds the values from the events of a text.
struct YAMLBuilder {
  private let reader: YAMLEventReader
  private var anchors: [String: Anchor] = [:]
  /// The anchors of collections that are not complete.
  private var open: Set<String> = []
  private var aliased = 0

  /// A value with its size: the number of values in it, and how deep they lie.
  private struct Anchor {
    let node: JSONNode
    let count: Int
    let depth: Int
  }

  /// The number of values read, and the depth of the deepest, of what is being read.
  private struct Size {
    var count = 1
    var depth = 0

    mutating func add(_ part: Size) {
      count += part.count
      depth = max(depth, part.depth + 1)
    }
  }

  init(_ reader: YAMLEventReader) {
    self.reader = reader
  }

  mutating func document() throws(YAMLError) -> JSONNode {
    _ = try reader.next()
    guard case .documentStart = try reader.next().event else { return JSONNode(.null) }
    var size = Size()
    let root = try value(try reader.next(), depth: 0, &size)
    _ = try reader.next()
    let (event, position) = try reader.next()
    if case .streamEnd = event { return root }
    throw error(.documents, at: position)
  }

  private func error(_ code: YAMLError.Code, _ values: [String: String] = [:], at position: TextPosition) -> YAMLError {
    YAMLError(code, values, at: reader.place(position))
  }

  private mutating func value(
    _ next: (event: YAMLEvent, position: TextPosition), depth: Int, _ size: inout Size
  ) throws(YAMLError) -> JSONNode {
    let position = next.position
    switch next.event {
    case .scalar(let scalar):
      let node = JSONNode(try content(of: scalar, at: position), at: position)
      size = Size()
      remember(scalar.anchor, node, size)
      return node
    case .alias(let name): return try resolve(name, at: position, depth: depth, &size)
    case .sequenceStart(let anchor, let tag):
      try enter(anchor, tag, is: "tag:yaml.org,2002:seq", depth, at: position)
      return try leave(anchor, try sequence(depth, &size), at: position, size)
    case .mappingStart(let anchor, let tag):
      try enter(anchor, tag, is: "tag:yaml.org,2002:map", depth, at: position)
      return try leave(anchor, try mapping(depth, &size), at: position, size)
    default: throw error(.syntax, ["problem": "did not find expected node content"], at: position)
    }
  }

  private mutating func enter(
    _ anchor: String?, _ tag: String?, is wanted: String, _ depth: Int, at position: TextPosition
  ) throws(YAMLError) {
    guard depth < YAMLReader.depth else { throw error(.tooDeep, ["limit": "\(YAMLReader.depth)"], at: position) }
    if let tag, tag != wanted, tag != "!" { throw error(.tag, ["tag": tag], at: position) }
    if let anchor { open.insert(anchor) }
  }

  private mutating func leave(
    _ anchor: String?, _ content: JSONNode.Content, at position: TextPosition, _ size: Size
  ) throws(YAMLError) -> JSONNode {
    let node = JSONNode(content, at: position)
    if let anchor { open.remove(anchor) }
    remember(anchor, node, size)
    return node
  }

  private mutating func remember(_ anchor: String?, _ node: JSONNode, _ size: Size) {
    guard let anchor else { return }
    anchors[anchor] = Anchor(node: node, count: size.count, depth: size.depth)
  }

  private mutating func resolve(
    _ name: String, at position: TextPosition, depth: Int, _ size: inout Size
  ) throws(YAMLError) -> JSONNode {
    guard !open.contains(name) else { throw error(.anchorInside, ["anchor": name], at: position) }
    guard let anchor = anchors[name] else { throw error(.anchorMissing, ["anchor": name], at: position) }
    aliased += anchor.count
    guard aliased <= YAMLReader.mostAliased else {
      throw error(.expansion, ["limit": "\(YAMLReader.mostAliased)"], at: position)
    }
    guard depth + anchor.depth <= YAMLReader.depth else {
      throw error(.tooDeep, ["limit": "\(YAMLReader.depth)"], at: position)
    }
    size = Size(count: anchor.count, depth: anchor.depth)
    return anchor.node
  }

  private mutating func sequence(_ depth: Int, _ size: inout Size) throws(YAMLError) -> JSONNode.Content {
    var elements: [JSONNode] = []
    size = Size()
    while true {
      let next = try reader.next()
      if case .sequenceEnd = next.event { return .array(elements) }
      var part = Size()
      elements.append(try value(next, depth: depth + 1, &part))
      size.add(part)
    }
  }
}

// MARK: Mappings

extension YAMLBuilder {
  private mutating func mapping(_ depth: Int, _ size: inout Size) throws(YAMLError) -> JSONNode.Content {
    var members: [JSONNode.Member] = []
    var names: [ExactName: TextPosition] = [:]
    var merged: [JSONNode] = []
    size = Size()
    while true {
      let next = try reader.next()
      if case .mappingEnd = next.event { break }
      let (name, isMerge) = try key(next)
      if let first = names.updateValue(next.position, forKey: ExactName(name)), !isMerge {
        throw error(.keyTwice, ["key": name, "line": "\(first.line)"], at: next.position)
      }
      var part = Size()
      let value = try value(try reader.next(), depth: depth + 1, &part)
      size.add(part)
      if isMerge {
        merged += try mergeable(value, at: next.position)
      } else {
        members.append(JSONNode.Member(name: name, value: value, position: next.position))
      }
    }
    for member in merged.flatMap({ $0.members ?? [] }) where names[ExactName(member.name)] == nil {
      names[ExactName(member.name)] = member.position
      members.append(member)
    }
    return .object(members)
  }

  /// The name that a key is, and whether it is the merge key.
  private func key(_ next: (event: YAMLEvent, position: TextPosition)) throws(YAMLError) -> (String, isMerge: Bool) {
    switch next.event {
    case .scalar(let scalar): return (scalar.text, scalar.isPlain && scalar.tag == nil && scalar.text == "<<")
    case .alias(let name):
      guard let anchor = anchors[name] else { throw error(.anchorMissing, ["anchor": name], at: next.position) }
      guard let text = anchor.node.string else { throw error(.key, at: next.position) }
      return (text, false)
    default: throw error(.key, at: next.position)
    }
  }

  private func mergeable(_ value: JSONNode, at position: TextPosition) throws(YAMLError) -> [JSONNode] {
    let parts = value.elements ?? [value]
    guard parts.allSatisfy({ $0.members != nil }) else { throw error(.merge, at: position) }
    return parts
  }
}

// MARK: Plain values

extension YAMLBuilder {
  private func content(of scalar: YAMLScalar, at position: TextPosition) throws(YAMLError) -> JSONNode.Content {
    guard let tag = scalar.tag else {
      return scalar.isPlain ? try resolved(scalar.text, at: position) : .string(scalar.text)
    }
    if tag == "!" || tag == "tag:yaml.org,2002:str" { return .string(scalar.text) }
    let content = try resolved(scalar.text, at: position)
    switch (tag, content) {
    case ("tag:yaml.org,2002:null", .null), ("tag:yaml.org,2002:bool", .bool), ("tag:yaml.org,2002:float", .number):
      return content
    case ("tag:yaml.org,2002:int", .number) where CoreScalar.isWhole(scalar.text): return content
    default: throw error(.tag, ["tag": tag], at: position)
    }
  }

  private func resolved(_ text: String, at position: TextPosition) throws(YAMLError) -> JSONNode.Content {
    switch CoreScalar(text) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let digits):
      guard let number = JSONNumber(digits) else { throw error(.value, ["value": text], at: position) }
      return .number(number)
    case .string: return .string(text)
    case .noJSON: throw error(.value, ["value": text], at: position)
    }
  }
}
