import MPaaSConfig
import MPaaSSupport

/// A project that is being edited: what operations ask it and how they change it.
package struct ProjectEditor {
  package typealias ID = String

  private(set) var draft: PBXDraft
  /// The notes on what was asked for and is not there.
  package private(set) var notes: [EditNote] = []
  private var knownTree: ProjectTree?
  /// The files around the project, before the edits.
  let files: ProjectSurroundings
  /// The files that the edits write, by path.
  var written: [String: SurroundingFile] = [:]

  package init(_ file: PBXProjectFile, files: ProjectSurroundings = .none()) {
    draft = PBXDraft(file)
    self.files = files
  }

  mutating func note(_ kind: EditNote.Kind, _ name: String, _ detail: String? = nil) {
    let note = EditNote(kind: kind, name: name, detail: detail)
    if !notes.contains(note) { notes.append(note) }
  }
}

/// Something that an operation has to tell and that is no error.
package struct EditNote: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// The note that what was to be removed is not there.
    case absent
    /// Targets still have products that may be of the package that went; the project does not say whose they are.
    case localProducts = "local-products"
    /// A target builds the file already, because of the synchronized folder that it lies in.
    case synced
    /// The file lies in a synchronized folder: the project has no reference that could be removed.
    case syncedStays = "synced-stays"
    /// A target's Info.plist is processed, not copied.
    case infoPlist = "info-plist"
    /// A scheme still names the target that went.
    case schemeTarget = "scheme-target"
    /// A scheme still names the configuration that went.
    case schemeConfiguration = "scheme-configuration"
    /// Tests have lost the app that they ran in.
    case testHost = "test-host"
  }

  package let kind: Kind
  package let name: String
  /// The folder, or the products, that the note is about; nil where the name says all.
  package let detail: String?

  init(kind: Kind, name: String, detail: String? = nil) {
    self.kind = kind
    self.name = name
    self.detail = detail
  }
}

// MARK: - Objects

extension ProjectEditor {
  func object(_ id: ID) -> PBXObject? { draft.object(id) }

  func isa(_ id: ID) -> String? { draft.object(id)?.isa }

  subscript(id: ID, key: String) -> PBXValue? { draft.object(id)?[key] }

  func text(_ id: ID, _ key: String) -> String? { self[id, key]?.string }

  /// The strings of an array; nothing where there is none.
  func list(_ id: ID, _ key: String) -> [String] { self[id, key]?.array?.compactMap(\.string) ?? [] }

  /// The objects of a kind: first those of the file in its order, then those that were added.
  func all(_ isa: String) -> [ID] { draft.objects(isa).map(\.id) }

  mutating func set(_ id: ID, _ key: String, _ value: PBXValue?) {
    guard self[id, key] != value else { return }
    draft.update(id) { $0[key] = value }
    if Self.treeKeys.contains(key) { knownTree = nil }
  }

  mutating func set(_ id: ID, _ key: String, _ text: String?) {
    set(id, key, text.map { PBXValue.string($0) })
  }

  mutating func set(_ id: ID, _ key: String, _ list: [String]) {
    set(id, key, PBXValue.strings(list))
  }

  mutating func set(root key: String, _ text: String) {
    draft.rootMembers.set(key, .string(text))
  }

  /// Adds an object whose id follows from what it is, so that the same operation gives the same ids everywhere.
  ///
  /// - Parameters:
  ///   - seed: What it is, and of what.
  ///   - id: The id that it gets whatever the seed.
  @discardableResult
  mutating func add(_ isa: String, seed: String, _ members: [(String, PBXValue)], id: ID? = nil) -> ID {
    knownTree = nil
    let members = Dictionary(members) { $1 }
    guard let id else { return draft.add(isa, members, seed: isa + " " + seed) }
    draft.put(PBXObject(isa, id: id, members))
    return id
  }

  /// Removes the object itself; what refers to it is the caller's.
  mutating func drop(_ id: ID) {
    draft.remove(id)
    knownTree = nil
  }

  private static let treeKeys: Set<String> = ["children", "path", "name", "sourceTree", "mainGroup"]
}

// MARK: - Lists

extension ProjectEditor {
  /// Puts an id or a word into a list of an object, where it does not stand already.
  mutating func insert(
    _ value: String, named name: String? = nil, into key: String, of id: ID, at position: EditPosition = .last
  ) throws(ProjectEditError) {
    var list = list(id, key)
    guard !list.contains(value) else { return }
    list.insert(value, at: try index(of: name ?? names(of: value).first ?? value, at: position, in: list))
    set(id, key, list)
  }

  private func index(
    of name: String, at position: EditPosition, in list: [String]
  ) throws(ProjectEditError) -> Int {
    if position == .last { return list.count }
    let names = list.map { self.names(of: $0) }
    if let index = position.index(of: name, among: names) { return index }
    throw ProjectEditError(.noPosition, ["position": position.text, "known": Self.shown(names.compactMap(\.first))])
  }

  mutating func remove(_ value: String, from key: String, of id: ID) {
    let list = list(id, key)
    guard list.contains(value) else { return }
    set(id, key, list.filter { $0 != value })
  }

  /// Puts something that stands in a list elsewhere in it.
  mutating func move(_ value: String, in key: String, of id: ID, to position: EditPosition) throws(ProjectEditError) {
    var list = list(id, key)
    list.removeAll { $0 == value }
    list.insert(value, at: try index(of: names(of: value).first ?? value, at: position, in: list))
    set(id, key, list)
  }

  /// The names that something in a list may be called: as Xcode shows it, then its path, then its id.
  func names(of id: ID) -> [String] {
    switch isa(id) {
    case nil: return [id]
    case "PBXBuildFile":
      guard let reference = text(id, "fileRef") ?? text(id, "productRef") else { return [id] }
      return names(of: reference) + [id]
    case "XCSwiftPackageProductDependency": return [text(id, "productName"), id].compactMap(\.self)
    case "XCRemoteSwiftPackageReference": return [text(id, "repositoryURL"), id].compactMap(\.self)
    case "XCLocalSwiftPackageReference": return [text(id, "relativePath"), id].compactMap(\.self)
    case let isa? where isa.hasSuffix("BuildPhase"): return [phaseName(id), id]
    default:
      let path = text(id, "path")
      return [text(id, "name") ?? path.map(PathWords.last), path, id].compactMap(\.self)
    }
  }

  /// Refuses a name or a path that is empty.
  static func expectName(_ name: String) throws(ProjectEditError) {
    guard !name.isEmpty else { throw ProjectEditError(.badWord, ["word": name, "expected": "NAME"]) }
  }

  static func shown(_ names: [String]) -> String {
    let shown = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    return shown.isEmpty ? "–" : shown
  }
}

// MARK: - What every project has

extension ProjectEditor {
  /// The root object.
  func project() throws(ProjectEditError) -> ID {
    guard let id = draft.rootMembers.value(of: "rootObject")?.string, isa(id) == "PBXProject" else {
      throw broken("rootObject")
    }
    return id
  }

  func mainGroup() throws(ProjectEditError) -> ID {
    guard let id = text(try project(), "mainGroup"), object(id) != nil else { throw broken("mainGroup") }
    return id
  }

  func broken(_ what: String) -> ProjectEditError { ProjectEditError(.brokenProject, ["what": what]) }

  /// Groups and files with their places.
  mutating func tree() throws(ProjectEditError) -> ProjectTree {
    if let knownTree { return knownTree }
    let tree = ProjectTree(draft, from: try mainGroup())
    knownTree = tree
    return tree
  }
}

extension ProjectEditor {
  /// The text with all changes.
  package func result() throws(ProjectEditError) -> EditedProject {
    do throws(ConfigError) {
      let files = written.values.sorted { $0.path < $1.path }
      return EditedProject(old: draft.file, bytes: try draft.finished().bytes, notes: notes, files: files)
    } catch {
      throw ProjectEditError(error)
    }
  }
}
