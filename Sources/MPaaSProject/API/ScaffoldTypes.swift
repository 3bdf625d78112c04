import MPaaSJSON
import MPaaSSupport

// Types told from samples.

extension ScaffoldReader {
  /// Adds a model of the file: `"NAME"`, `"!NAME"` (an active record of Bee), `"NAME < PARENT"`.
  mutating func addModel(_ member: Member) throws(GenerationError) {
    let halves = member.name.split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.unmarked(String(halves.first ?? "")).name
    let parent = halves.count > 1 ? halves[1].trimmed : nil
    guard !name.isEmpty, parent?.isEmpty != true else {
      throw error(.scaffoldBadName, ["name": member.name], at: member.position)
    }
    if let other = models.first(where: { $0.name == name }) {
      throw error(
        .scaffoldNameTwice, ["name": name, "line": String(other.position.line)], at: member.position)
    }
    let shape: Scaffold.Model.Shape =
      if let members = member.value.members {
        .fields(try fields(members, of: name))
      } else {
        .other(try type(of: member.value, owner: name, key: ""))
      }
    models.append(
      Scaffold.Model(name: name, parent: parent, shape: shape, comment: member.comment, position: member.position))
  }

  /// The fields of an object that stands as a sample.
  ///
  /// - Parameter owner: What the models of its own objects are named after.
  mutating func fields(_ members: [Member], of owner: String) throws(GenerationError) -> [Scaffold.Field] {
    var fields: [Scaffold.Field] = []
    for member in members where !Self.isDescription(member.name) {
      let (name, isMarked) = Self.unmarked(member.name)
      guard !name.isEmpty else { throw error(.scaffoldBadName, ["name": member.name], at: member.position) }
      if let other = fields.first(where: { $0.name == name }) {
        throw error(.scaffoldNameTwice, ["name": name, "line": String(other.position.line)], at: member.position)
      }
      let type = try type(of: member.value, owner: owner, key: name)
      fields.append(
        Scaffold.Field(
          name: name, type: type, isRequired: isMarked, comment: member.comment, position: member.position))
    }
    return fields
  }

  static func isDescription(_ name: String) -> Bool { name == "__desc__" }

  /// The type of a sample.
  mutating func type(
    of sample: JSONNode, owner: String, key: String
  ) throws(GenerationError) -> Scaffold.FieldType {
    switch sample.content {
    case .null: .any
    case .bool: .bool
    case .number(let number): number.isWhole ? .whole : .number
    case .string(let text): try reference(text.trimmed, at: sample.position) ?? .text
    case .array(let elements): .list(try element(elements, owner: owner, key: key))
    case .object([]): .object
    case .object(let members):
      try embed(members, named: key.isEmpty ? owner : owner + "_" + key, at: sample.position)
    }
  }

  /// `{MODEL}` and `<ENUMERATION>`; nil where the text is a sample of a text.
  private func reference(_ text: String, at position: TextPosition) throws(GenerationError) -> Scaffold.FieldType? {
    guard let first = text.first, first == "{" || first == "<" else { return nil }
    let name = text.dropFirst().prefix { !"{}<>".contains($0) }.trimmed
    let end = text.dropFirst().drop { !"{}<>".contains($0) }
    // Neither markup nor JSON within a text is a reference, but `{NAME` is one that was not finished.
    let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    guard isName else { return nil }
    if end == (first == "{" ? "}" : ">") { return first == "{" ? .model(name) : .enumeration(name) }
    guard end.isEmpty else { return nil }
    throw error(.scaffoldOpenReference, ["text": text, "end": first == "{" ? "}" : ">"], at: position)
  }

  /// One type for all elements of a list.
  private mutating func element(
    _ elements: [JSONNode], owner: String, key: String
  ) throws(GenerationError) -> Scaffold.FieldType {
    let objects = elements.compactMap(\.members)
    if let first = elements.first, objects.count == elements.count, objects.contains(where: { !$0.isEmpty }) {
      let all = objects.dropFirst().reduce(objects[0]) { known, more in
        known + more.filter { member in !known.contains { $0.name == member.name } }
      }
      return try embed(all, named: key.isEmpty ? owner + "_item" : owner + "_" + key, at: first.position)
    }
    var found: Scaffold.FieldType?
    for element in elements {
      let type = try type(of: element, owner: owner, key: key)
      found = found.map { $0.joined(with: type) } ?? type
    }
    return found ?? .any
  }

  /// Makes a model of an object that stands as a sample.
  private mutating func embed(
    _ members: [Member], named name: String, at position: TextPosition
  ) throws(GenerationError) -> Scaffold.FieldType {
    let index = embedded.count
    embedded.append(Scaffold.Model(name: name, shape: .fields([]), position: position))
    embedded[index].shape = .fields(try fields(members, of: name))
    return .model(name)
  }
}

extension Scaffold.FieldType {
  /// The narrowest type that holds the samples of both.
  func joined(with other: Scaffold.FieldType) -> Scaffold.FieldType {
    switch (self, other) {
    case _ where self == other: self
    case (.whole, .number), (.number, .whole): .number
    case (.list(let left), .list(let right)): .list(left.joined(with: right))
    default: .any
    }
  }

  /// The names of the models and enumerations in it.
  var references: [Scaffold.FieldType] {
    switch self {
    case .model, .enumeration: [self]
    case .list(let element): element.references
    default: []
    }
  }
}
