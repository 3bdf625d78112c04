import MPaaSXML

/// Puts what `${name}` stands for in its place: constants, and pieces of SQL with their elements.
struct DAOExpander {
  /// The size that the statements of a method may grow to.
  static let greatestSize = 1 << 20
  private static let greatestDepth = 128

  private let fragments: [String: DAODocument.Fragment]
  /// The names that are being expanded.
  private var open: [String] = []
  private var depth = 0
  /// The bytes, names and elements so far; each name and each element counts as several bytes.
  private(set) var size = 0
  private let greatestSize: Int
  /// The bytes of the table's name, which each `${T}` becomes.
  private let tableSize: Int

  /// - Parameter allowance: The size that what is expanded may reach, where that is less than any statement may have.
  init(_ document: DAODocument, allowance: Int) {
    fragments = document.fragments
    greatestSize = min(Self.greatestSize, allowance)
    tableSize = document.tableName?.utf8.count ?? 0
  }

  /// The children with all names expanded; texts that meet become one.
  mutating func expand(_ children: [XMLElement.Child]) throws(DAOError) -> [XMLElement.Child] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.greatestDepth else {
      throw DAOError(.xml, DAOError.reason("nested", "it is nested too deeply"))
    }
    var result: [XMLElement.Child] = []
    for child in children {
      switch child {
      case .text(let text): try expand(text, into: &result)
      case .element(let element):
        try grow(64, at: element.position)
        var attributes: [(name: String, value: String)] = []
        for (name, value) in element.attributes {
          try grow(name.utf8.count + value.utf8.count, at: element.position)
          attributes.append((name, try expand(value, at: element.position)))
        }
        var copy = XMLElement(name: element.name, attributes: attributes, position: element.position)
        copy.children = try expand(element.children)
        result.append(.element(copy))
      }
    }
    return result
  }

  /// Counts what a statement becomes larger by.
  mutating func grow(_ count: Int, at position: @autoclosure () -> DAOPosition) throws(DAOError) {
    guard count <= greatestSize - size else {
      throw DAOError(.xml, DAOError.reason("reused", "what is reused makes it too large"), at: position())
    }
    size += count
  }

  private mutating func expand(_ text: XMLText, into result: inout [XMLElement.Child]) throws(DAOError) {
    var start = 0
    while let found = Self.next(in: text.bytes, from: start) {
      try append(text, start..<found, to: &result)
      let position = text.position(at: found)
      guard let end = text.bytes[found...].firstIndex(of: UInt8(ascii: "}")) else {
        throw DAOError(.reference, ["reference": Self.excerpt(text.bytes, found)], at: position)
      }
      let name = DAOName.trimmed(String(decoding: text.bytes[found + 2..<end], as: UTF8.self))
      try insert(name, at: position, into: &result)
      start = end + 1
    }
    try append(text, start..<text.bytes.count, to: &result)
  }

  /// The place of the next `${`.
  private static func next(in bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + 1 < bytes.count {
      if bytes[place] == UInt8(ascii: "$"), bytes[place + 1] == UInt8(ascii: "{") { return place }
      place += 1
    }
    return nil
  }

  static func excerpt(_ bytes: [UInt8], _ start: Int) -> String {
    String(decoding: bytes[start...].prefix(40), as: UTF8.self)
  }

  private mutating func insert(
    _ name: String, at position: DAOPosition, into result: inout [XMLElement.Child]
  ) throws(DAOError) {
    // A piece that is empty costs time as well.
    try grow(16, at: position)
    if name == "T" || name == "t" {
      try grow(tableSize, at: position)
      var text = XMLText()
      text.append([SQLWriter.tableMark], at: position)
      return try append(text, 0..<1, to: &result)
    }
    guard let fragment = fragments[name] else { throw DAOError(.unknownName, ["name": name], at: position) }
    guard !open.contains(name) else { throw DAOError(.cycle, ["name": name], at: position) }
    open.append(name)
    defer { open.removeLast() }
    let children =
      switch fragment {
      case .constant(let text): try expand([.text(text)])
      case .elements(let children): try expand(children)
      }
    for child in children {
      switch child {
      case .text(let text): try append(text, 0..<text.bytes.count, to: &result)
      case .element: result.append(child)
      }
    }
  }

  private mutating func append(
    _ text: XMLText, _ range: Range<Int>, to result: inout [XMLElement.Child]
  ) throws(DAOError) {
    guard !range.isEmpty else { return }
    try grow(range.count, at: text.position(at: range.lowerBound))
    if case .text(var last)? = result.last {
      result.removeLast()
      last.append(text, range)
      result.append(.text(last))
    } else {
      var part = XMLText()
      part.append(text, range)
      result.append(.text(part))
    }
  }

  /// An attribute with all names expanded, which must be texts alone.
  private mutating func expand(_ attribute: String, at position: DAOPosition) throws(DAOError) -> String {
    guard attribute.utf8.contains(UInt8(ascii: "$")) else { return attribute }
    var result: [XMLElement.Child] = []
    try expand(XMLText(attribute, at: position), into: &result)
    var bytes: [UInt8] = []
    for child in result {
      guard case .text(let text) = child else { throw DAOError(.reference, ["reference": attribute], at: position) }
      bytes += text.bytes
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
