package import MPaaSSupport

/// A JSON value that knows where it stood; members keep their order.
package struct JSONNode: Sendable {
  package struct Member: Sendable {
    package let name: String
    package let value: JSONNode
  }

  package enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONValue)
    case string(String)
    case array([JSONNode])
    /// Of members with the same name only the last is here.
    case object([Member])
  }

  package let content: Content
  /// Bytes from the start of its document.
  package let offset: Int

  package init(_ content: Content, at offset: Int = 0) {
    self.content = content
    self.offset = offset
  }

  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  package var elements: [JSONNode]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  package var string: String? {
    if case .string(let value) = content { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  /// The number, a whole one as an integer however it was written.
  package var number: JSONValue? {
    if case .number(let value) = content { value } else { nil }
  }

  package subscript(_ name: String) -> JSONNode? {
    members?.first { $0.name == name }?.value
  }

  package var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): value
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(JSONValue.Object(members.map { ($0.name, $0.value.value) }) { $1 })
    }
  }

  package var kind: ModelKind {
    switch content {
    case .null: .null
    case .bool: .boolean
    case .number(let value):
      if case .number(let double) = value, double.rounded() != double { .number } else { .integer }
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// A JSON file as it was read, with what is needed to name a place in it.
package struct JSONSource: Sendable {
  package let file: String
  package let root: JSONNode
  private let lineStarts: [Int]

  /// A document made in code.
  package init(file: String, root: JSONNode) {
    self.file = file
    self.root = root
    lineStarts = [0]
  }

  /// Reads a file.
  ///
  /// - Throws: `GenerationError` with line and column.
  package init(_ bytes: [UInt8], file: String) throws(GenerationError) {
    self.file = file
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    let outcome: Result<JSONNode, JSONError> = bytes.withUnsafeBytes { buffer in
      let text = UnsafeRawBufferPointer(rebasing: buffer[start...])
      do throws(JSONError) {
        _ = try JSONValue(reading: text)
        var reader = JSONNodeReader(JSONSkim(buffer, at: start))
        return .success(reader.node() ?? JSONNode(.null))
      } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .success(let node): root = node
    case .failure(let error):
      throw GenerationError(
        error.code == .tooDeep ? .schemaTooDeep : .schemaSyntax, ["reason": error.code.rawValue],
        at: .text(file: file, line: error.line, column: error.column))
    }
  }

  package func place(_ node: JSONNode) -> Place {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= node.offset { low = middle } else { high = middle }
    }
    return .text(file: file, line: low + 1, column: node.offset - lineStarts[low] + 1)
  }
}

/// Makes nodes of bytes that are known to be JSON.
private struct JSONNodeReader {
  private var skim: JSONSkim

  init(_ skim: JSONSkim) {
    self.skim = skim
  }

  mutating func node() -> JSONNode? {
    skim.skipSpace()
    let start = skim.offset
    switch skim.next {
    case UInt8(ascii: "{"): return JSONNode(.object(members()), at: start)
    case UInt8(ascii: "["): return JSONNode(.array(elements()), at: start)
    case UInt8(ascii: "\""): return JSONNode(.string(skim.string() ?? ""), at: start)
    default: return skim.value().map { JSONNode(Self.scalar($0), at: start) }
    }
  }

  private static func scalar(_ value: JSONValue) -> JSONNode.Content {
    switch value {
    case .bool(let value): .bool(value)
    case .number(let number): .number(JSONValue(number) ?? value)
    case .unsigned, .negative: .number(value)
    default: .null
    }
  }

  private mutating func members() -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    var indexes: [String: Int] = [:]
    _ = skim.object { name, skim in
      guard let name = skim.text(name), let node = Self.node(&skim) else { return false }
      let member = JSONNode.Member(name: name, value: node)
      if let known = indexes.updateValue(members.count, forKey: name) {
        members[known] = member
        indexes[name] = known
      } else {
        members.append(member)
      }
      return true
    }
    return members
  }

  private mutating func elements() -> [JSONNode] {
    var elements: [JSONNode] = []
    _ = skim.array { _, skim in
      guard let node = Self.node(&skim) else { return false }
      elements.append(node)
      return true
    }
    return elements
  }

  private static func node(_ skim: inout JSONSkim) -> JSONNode? {
    var reader = JSONNodeReader(skim)
    let node = reader.node()
    skim = reader.skim
    return node
  }
}
