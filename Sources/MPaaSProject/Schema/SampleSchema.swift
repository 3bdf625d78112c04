import MPaaSSupport

/// A JSON Schema of what samples have in common.
package enum SampleSchema {
  /// The schema that all samples fit and as little else as can be told.
  ///
  /// - Parameter dates: Whether strings that are all dates are taken for dates.
  package static func schema(of samples: [JSONNode], dates: Bool = true) -> JSONNode {
    var shape = Shape()
    for sample in samples { shape.add(sample) }
    return shape.schema(isRoot: true, dates: dates)
  }

  /// Whether a document is a schema itself rather than a sample.
  package static func isSchema(_ root: JSONNode, file: String) -> Bool {
    if file.hasSuffix(".schema") || file.hasSuffix(".schema.json") { return true }
    guard let members = root.members, !members.isEmpty else { return false }
    let names = Set(members.map(\.name))
    if !names.isDisjoint(with: ["$schema", "$ref", "$defs"]) { return true }
    let types = root["type"].map { $0.elements ?? [$0] } ?? []
    let isTyped = !types.isEmpty && types.allSatisfy { $0.string.flatMap(ModelKind.init) != nil }
    let isStructured =
      root["properties"]?.members?.allSatisfy { $0.value.members != nil || $0.value.bool != nil } ?? false
    let combines = ["allOf", "anyOf", "oneOf"].contains { root[$0]?.elements?.allSatisfy { $0.members != nil } == true }
    return (isTyped && names.count > 1) || isStructured || combines || isBare(members)
  }

  /// Whether every member is a keyword with a value that it can have, and one of them can hardly be anything else.
  private static func isBare(_ members: [JSONNode.Member]) -> Bool {
    let remarks: Set = ["title", "description", "default", "examples", "format", "$comment"]
    var isStrong = false
    for member in members where !remarks.contains(member.name) {
      guard fits(member) else { return false }
      isStrong = true
    }
    return isStrong
  }

  private static func fits(_ member: JSONNode.Member) -> Bool {
    let value = member.value
    switch member.name {
    case "type": return (value.elements ?? [value]).allSatisfy { $0.string.flatMap(ModelKind.init) != nil }
    case "const": return true
    case "enum": return value.elements != nil
    case "pattern": return value.string != nil
    case "uniqueItems": return value.bool != nil
    case "required": return value.elements?.allSatisfy { $0.string != nil } ?? false
    case let name where Schema.maps.contains(name): return value.members != nil
    case let name where Schema.single.contains(name): return value.members != nil || value.bool != nil
    default:
      let bounds = ["inimum", "aximum", "Length", "Items", "Properties", "Contains", "multipleOf"]
      return value.number != nil && bounds.contains { member.name.hasSuffix($0) }
    }
  }
}

/// What has been seen in one place of all samples.
private struct Shape {
  private var kinds: Set<ModelKind> = []
  private var fitsInteger = true
  private var isDateTime = true
  private var isDate = true
  private var objects = 0
  private var order: [String] = []
  private var members: [String: Shape] = [:]
  private var counts: [String: Int] = [:]
  private var elements: [Shape] = []

  mutating func add(_ node: JSONNode) {
    kinds.insert(node.kind)
    switch node.content {
    case .number(let number, _): fitsInteger = fitsInteger && number.integer(Int.self) != nil
    case .string(let text):
      isDateTime = isDateTime && SampleDate.isDateTime(text)
      isDate = isDate && SampleDate.isDate(text)
    case .array(let nodes):
      if elements.isEmpty { elements = [Shape()] }
      for node in nodes { elements[0].add(node) }
    case .object(let list):
      objects += 1
      for member in list {
        if members[member.name] == nil { order.append(member.name) }
        members[member.name, default: Shape()].add(member.value)
        counts[member.name, default: 0] += 1
      }
    default: break
    }
  }

  func schema(isRoot: Bool = false, dates: Bool) -> JSONNode {
    var schemas: [JSONNode] = []
    let others = kinds.subtracting([.null])
    for kind in others.sorted() where kind != .integer || !others.contains(.number) {
      schemas.append(schema(of: kind, isRoot: isRoot, dates: dates))
    }
    // Of what was only ever null nothing is known.
    if schemas.isEmpty { return JSONNode(.object([])) }
    if kinds.contains(.null) { schemas.append(Self.object([("type", Self.text("null"))])) }
    return schemas.count == 1 ? schemas[0] : Self.object([("anyOf", JSONNode(.array(schemas)))])
  }

  private func schema(of kind: ModelKind, isRoot: Bool, dates: Bool) -> JSONNode {
    switch kind {
    case .object: return objectSchema(isRoot: isRoot, dates: dates)
    case .array:
      let items = elements.first.map { $0.schema(dates: dates) } ?? JSONNode(.object([]))
      return Self.object([("type", Self.text("array")), ("items", items)])
    case .string:
      let format = !dates ? nil : isDateTime ? "date-time" : isDate ? "date" : nil
      return Self.object([("type", Self.text("string"))] + (format.map { [("format", Self.text($0))] } ?? []))
    case .integer where !fitsInteger: return Self.object([("type", Self.text("number"))])
    default: return Self.object([("type", Self.text(kind.rawValue))])
    }
  }

  private func objectSchema(isRoot: Bool, dates: Bool) -> JSONNode {
    if !isRoot, isMap {
      var value = Shape()
      for name in order { if let member = members[name] { value.merge(member) } }
      return Self.object([("type", Self.text("object")), ("additionalProperties", value.schema(dates: dates))])
    }
    let properties = order.map { name in
      JSONNode.Member(name: name, value: members[name]?.schema(dates: dates) ?? JSONNode(.object([])))
    }
    let required = order.filter { counts[$0] == objects }.map { Self.text($0) }
    return Self.object(
      [("type", Self.text("object")), ("properties", JSONNode(.object(properties)))]
        + (required.isEmpty ? [] : [("required", JSONNode(.array(required)))]))
  }

  /// Whether the names look like keys rather than like words somebody chose: numbers, dates, identifiers.
  private var isMap: Bool {
    guard order.count >= 2 else { return false }
    return order.allSatisfy { name in
      let bytes = name.utf8
      let isNumber = !bytes.isEmpty && bytes.allSatisfy { 48...57 ~= $0 }
      let isIdentifier =
        bytes.count >= 16 && bytes.contains { 48...57 ~= $0 }
        && bytes.allSatisfy { $0 == 45 || 48...57 ~= $0 || 97...102 ~= $0 | 0x20 }
      return isNumber || isIdentifier || SampleDate.isDate(name)
    }
  }

  private mutating func merge(_ other: Shape) {
    kinds.formUnion(other.kinds)
    fitsInteger = fitsInteger && other.fitsInteger
    isDateTime = isDateTime && other.isDateTime
    isDate = isDate && other.isDate
    objects += other.objects
    for name in other.order {
      if members[name] == nil { order.append(name) }
      if let member = other.members[name] { members[name, default: Shape()].merge(member) }
      counts[name, default: 0] += other.counts[name] ?? 0
    }
    if let element = other.elements.first {
      if elements.isEmpty { elements = [Shape()] }
      elements[0].merge(element)
    }
  }

  private static func text(_ text: String) -> JSONNode { JSONNode(.string(text)) }

  private static func object(_ members: [(String, JSONNode)]) -> JSONNode {
    JSONNode(.object(members.map { JSONNode.Member(name: $0.0, value: $0.1) }))
  }
}

/// Dates in samples, as strictly as the generated code reads them.
private enum SampleDate {
  static func isDate(_ text: String) -> Bool {
    guard let (year, month, day) = parts(text.utf8.prefix(10)), text.utf8.count == 10 else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...12 ~= month && 1...days[month - 1] ~= day
  }

  private static func parts(_ text: Substring.UTF8View) -> (Int, Int, Int)? {
    let parts = Substring(text).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    return (year, month, day)
  }

  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == 0x54 || bytes[10] == 0x74,
      isDate(String(decoding: bytes[..<10], as: UTF8.self))
    else { return false }
    func digits(_ range: Range<Int>, below: Int) -> Bool {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ 48...57 ~= $0 }),
        let number = Int(String(decoding: bytes[range], as: UTF8.self))
      else { return false }
      return number < below
    }
    guard digits(11..<13, below: 24), bytes[13] == 0x3a, digits(14..<16, below: 60), bytes[16] == 0x3a,
      digits(17..<19, below: 60)
    else { return false }
    var rest = bytes[19...]
    if rest.first == 0x2e {
      rest = rest.dropFirst()
      guard let first = rest.first, 48...57 ~= first else { return false }
      rest = rest.drop { 48...57 ~= $0 }
    }
    if rest.count == 1 { return rest.first == 0x5a || rest.first == 0x7a }
    guard rest.count == 6, rest.first == 0x2b || rest.first == 0x2d else { return false }
    let start = rest.startIndex
    return digits(start + 1..<start + 3, below: 24) && bytes[start + 3] == 0x3a
      && digits(start + 4..<start + 6, below: 60)
  }
}
