package import MPaaSConfig
import MPaaSSupport

/// A `project.pbxproj` as it stands in its file: every byte of it, and where its objects are.
///
/// All versions and kinds of objects are taken as they come. Changes are made by a `PBXDraft`.
package struct PBXProjectFile: Sendable, PBXObjects {
  /// The place of an object on the tape: its id, and behind it its dictionary.
  struct Entry: Sendable {
    let node: Int
    /// Its place in `kinds`.
    let kind: Int

    var value: Int { node + 1 }
  }

  /// The file's name in errors.
  package let file: String
  /// The members beside `objects`.
  package let rootMembers: [PBXMember]
  let tape: OldStyleTape
  /// The dictionary of objects on the tape.
  let objectsNode: Int
  /// In the order of the file; an id that stands there twice is there twice.
  let entries: [Entry]
  let kinds: [String]
  private let index: [String: Int]
  private let byKind: [String: [Int]]

  package var bytes: [UInt8] { tape.bytes }

  /// - Throws: `ConfigError` with line and column: what is no old-style property list (`oldstyle-…`), or has no objects
  ///   (`pbx-…`).
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    let tape = try Self.tape(bytes, file)
    let lines = { OldStyleLines(tape, file: file) }
    guard !tape.isPairs, tape.nodes[0].kind == .dictionary else {
      throw ConfigError(.pbxRoot, ["file": file], at: lines().place(at: Int(tape.nodes[0].start)))
    }
    var objects: Int?
    var rootMembers: [PBXMember] = []
    for key in tape.children(of: 0) {
      let name = tape.string(key)
      if name == "objects" { objects = key + 1 } else { rootMembers.append(PBXMember(name, tape.project(key + 1))) }
    }
    guard let objects, tape.nodes[objects].kind == .dictionary else {
      let offset = Int(tape.nodes[objects ?? 0].start)
      throw ConfigError(.pbxObjects, ["file": file], at: lines().place(at: offset))
    }
    var builder = PBXIndexBuilder(tape)
    for key in tape.children(of: objects) { builder.add(key) }
    self.file = file
    self.tape = tape
    self.rootMembers = rootMembers
    objectsNode = objects
    entries = builder.entries
    kinds = builder.kinds
    index = builder.index
    byKind = Dictionary(uniqueKeysWithValues: zip(builder.kinds, builder.byKind))
  }

  /// Reads the syntax; where it is wrong because of a merge, that is said.
  private static func tape(_ bytes: [UInt8], _ file: String) throws(ConfigError) -> OldStyleTape {
    do throws(ConfigError) {
      return try OldStyleTape(bytes, file: file)
    } catch {
      var line = 1
      for part in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
        if part.starts(with: "<<<<<<< ".utf8) || part.starts(with: ">>>>>>> ".utf8) {
          throw ConfigError(.pbxConflict, ["file": file], at: .text(file: file, line: line, column: 1))
        }
        line += 1
      }
      throw error
    }
  }

  /// All ids in the order of the file.
  package var ids: [String] { entries.map { tape.string($0.node) } }

  /// The ids of the objects of a kind.
  package func ids(_ isa: String) -> [String] {
    (byKind[isa] ?? []).map { tape.string(entries[$0].node) }
  }

  package func object(_ id: String) -> PBXObject? {
    index[id].map { PBXObject(id: id, members: tape.project(entries[$0].value).members ?? []) }
  }

  package func objects(_ isa: String) -> [PBXObject] {
    (byKind[isa] ?? []).map { position in
      let entry = entries[position]
      return PBXObject(id: tape.string(entry.node), members: tape.project(entry.value).members ?? [])
    }
  }

  package func contains(_ id: String) -> Bool { index[id] != nil }

  /// The kinds that its objects are of, in the order in which they come first.
  package var isas: [String] { kinds }

  func entry(_ id: String) -> Int? { index[id] }
  func entries(of isa: String) -> [Int] { byKind[isa] ?? [] }
}

/// Finds the objects, and what each one is.
private struct PBXIndexBuilder {
  let tape: OldStyleTape
  private(set) var entries: [PBXProjectFile.Entry] = []
  private(set) var kinds: [String] = []
  private(set) var byKind: [[Int]] = []
  private(set) var index: [String: Int] = [:]
  private var kindNumbers: [String: Int] = [:]
  private var last: (word: ArraySlice<UInt8>, kind: Int)?

  init(_ tape: OldStyleTape) {
    self.tape = tape
    entries.reserveCapacity(tape.nodes.count / 12)
    index.reserveCapacity(tape.nodes.count / 12)
  }

  mutating func add(_ key: Int) {
    let kind = kind(of: key + 1)
    index[tape.string(key)] = entries.count
    byKind[kind].append(entries.count)
    entries.append(PBXProjectFile.Entry(node: key, kind: kind))
  }

  private mutating func kind(of object: Int) -> Int {
    guard tape.nodes[object].kind == .dictionary else { return number("") }
    for key in tape.children(of: object) where tape.bytes(of: key).elementsEqual("isa".utf8) {
      let word = tape.bytes(of: key + 1)
      if let last, last.word == word { return last.kind }
      let kind = number(tape.string(key + 1))
      last = (word, kind)
      return kind
    }
    return number("")
  }

  private mutating func number(_ isa: String) -> Int {
    if let known = kindNumbers[isa] { return known }
    kindNumbers[isa] = kinds.count
    kinds.append(isa)
    byKind.append([])
    return kinds.count - 1
  }
}

extension OldStyleTape {
  /// The value at a place on the tape.
  func project(_ node: Int) -> PBXValue {
    switch nodes[node].kind {
    case .array:
      var values: [PBXValue] = []
      for child in children(of: node) { values.append(project(child)) }
      return .array(values)
    case .dictionary:
      var members: [PBXMember] = []
      for key in children(of: node) { members.append(PBXMember(string(key), project(key + 1))) }
      return .dictionary(members)
    default: return .string(string(node))
    }
  }
}
