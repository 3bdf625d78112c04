/// The changes of one run: objects as values that are read and written freely, until `finished()` turns what differs
/// into the shortest edits of the text.
///
///     var draft = PBXDraft(file)
///     let id = draft.add("PBXBuildFile", ["fileRef": .string(reference)], seed: "link \(reference) \(phase)")
///     draft.append(.string(id), to: "files", of: phase)
///     draft.update(configuration) { $0["buildSettings"]?["SWIFT_VERSION"] = "6.0" }
///     let changed = try draft.finished()
///
/// A value that is set to what it was already leaves no trace; a draft without changes gives the file byte for byte.
/// Comments (`/* A.swift in Sources */`), quotes, section markers, the places of objects and keys, indentation and the
/// ends of lines are seen to by `finished()`: a draft only says what holds.
package struct PBXDraft: Sendable, PBXObjects {
  package let file: PBXProjectFile
  package var rootMembers: [PBXMember]
  /// The touched objects: nil for a removed object.
  private(set) var touched: [String: PBXObject?] = [:]
  /// The ids of new objects in the order in which they came.
  private(set) var added: [String] = []

  package init(_ file: PBXProjectFile) {
    self.file = file
    rootMembers = file.rootMembers
  }

  /// The object as it is by now.
  package func object(_ id: String) -> PBXObject? {
    if let known = touched[id] { known } else { file.object(id) }
  }

  package func objects(_ isa: String) -> [PBXObject] {
    let old = file.ids(isa).compactMap { id in touched[id] == nil ? file.object(id) : touched[id] ?? nil }
    return old + added.compactMap { id in object(id).flatMap { $0.isa == isa ? $0 : nil } }
  }

  /// Adds an object and gives its id, which follows from the seed alone: the same seed in the same file gives the same
  /// id, another one only where that is taken.
  @discardableResult
  package mutating func add(_ isa: String, _ members: [String: PBXValue], seed: String) -> String {
    let id = unusedID(seed: seed)
    put(PBXObject(isa, id: id, members))
    return id
  }

  /// Puts an object into the project, a new one or another value of one that is there.
  package mutating func put(_ object: PBXObject) {
    if file.object(object.id) == nil, !added.contains(object.id) { added.append(object.id) }
    touched[object.id] = .some(object)
  }

  /// Removes an object; what refers to it is for the caller to change.
  package mutating func remove(_ id: String) {
    added.removeAll { $0 == id }
    if file.object(id) == nil { touched[id] = nil } else { touched[id] = .some(nil) }
  }

  /// Changes an object in place; false where there is none.
  @discardableResult
  package mutating func update(_ id: String, _ change: (inout PBXObject) -> Void) -> Bool {
    guard var object = object(id) else { return false }
    change(&object)
    put(object)
    return true
  }

  /// Puts a value at the end of an object's array, which is made where it is absent.
  package mutating func append(_ value: PBXValue, to key: String, of id: String) {
    update(id) { $0[key] = .array(($0[key]?.array ?? []) + [value]) }
  }

  /// Takes every such value out of an object's array.
  package mutating func remove(_ value: PBXValue, from key: String, of id: String) {
    update(id) { object in
      guard let values = object[key]?.array else { return }
      object[key] = .array(values.filter { $0 != value })
    }
  }
}

extension PBXObject {
  /// A new object with its members in Xcode's order: `isa`, then by their keys.
  package init(_ isa: String, id: String, _ members: [String: PBXValue]) {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    self.init(id: id, members: [PBXMember("isa", .string(isa))] + sorted.map { PBXMember($0.key, $0.value) })
  }
}
