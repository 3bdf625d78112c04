import MPaaSModules
import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

/// Files that are to be offered: archives of modules become versions, all others targets.
package struct FilePublication: Sendable {
  /// The modules among the files, and the change of the registry.
  package struct Outcome: Sendable {
    package let modules: [CheckedModule]
    /// nil where nothing was staged: a trial, or findings that forbid it.
    package let change: RepositoryEditor.Outcome?
  }

  package let files: [String]
  /// The name of the only file's target; nil for that of the file.
  package var name: String?
  /// The folder of the targets.
  package var prefix: String?
  /// The role that vouches for the files; nil for the one that clients ask first for their names.
  package var role: String?
  /// The members that a publisher adds to a target: the JSON of an object.
  package var custom: String?
  /// True if nothing is to be staged.
  package var isTrial = false
  /// True if warnings forbid a module too.
  package var isStrict = false

  package init(_ files: [String]) {
    self.files = files
  }

  /// Checks the files, and stages and signs them.
  ///
  /// - Parameters:
  ///   - time: When modules come out, in seconds since 1970.
  ///   - keys: Opens the keys that sign, once nothing forbids to use them.
  /// - Throws: `ModuleError` `registry-one-name`, `registry-bad-custom`, of archives, names and versions; `TrustError` of
  ///   the repository; what `keys` throws.
  package func run(
    in editor: RepositoryEditor, at time: Int64, keys: () throws -> [SigningKey]
  ) throws -> Outcome {
    guard name == nil || files.count == 1 else { throw ModuleError(.registryOneName) }
    let members = try customMembers()
    var modules: [CheckedModule] = []
    var others: [String] = []
    for file in files {
      // A caller that gives a name wants the file under it, whatever it is.
      if name == nil, prefix == nil, let module = try CheckedModule(archive: file) {
        modules.append(module)
      } else {
        others.append(file)
      }
    }
    let folder = prefix.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    let targets = others.map { (file: $0, name: folder + (name ?? FileSystem.name(of: $0))) }
    try Self.check(targets.map(\.name), in: editor)
    if !modules.isEmpty { try Self.examine(&modules, in: editor, at: time) }
    guard !isTrial, !modules.contains(where: { $0.isRefused(isStrict) }) else {
      return Outcome(modules: modules, change: nil)
    }
    let signers = try keys()
    func addOthers(_ draft: inout RepositoryDraft) throws(TrustError) {
      for target in targets { try draft.add(.file(target.file), as: target.name, custom: members, role: role) }
    }
    guard !modules.isEmpty else {
      let change = try editor.edit(keys: signers) { draft throws(TrustError) in try addOthers(&draft) }
      return Outcome(modules: [], change: change)
    }
    let checked = modules
    let change = try editor.editModules(keys: signers, role: role, also: addOthers) { shelf throws(ModuleError) in
      for module in checked { _ = try shelf.add(module.check, file: module.file, at: time) }
    }
    return Outcome(modules: modules, change: change)
  }

  private func customMembers() throws(ModuleError) -> JSONValue? {
    guard let custom else { return nil }
    let members = Array(custom.utf8).withUnsafeBytes { try? JSONValue(reading: $0) }
    guard members?.object != nil, (try? members?.canonical()) != nil else {
      throw ModuleError(.registryBadCustom, ["value": custom])
    }
    return members
  }

  /// Refuses names that only look like another; before anything is staged.
  private static func check(_ names: [String], in editor: RepositoryEditor) throws {
    guard !names.isEmpty else { return }
    var draft = try editor.read()
    try TargetNames.check(names, beside: draft.allTargets().keys.map { "\($0)" })
  }

  /// Looks at modules beside what the repository has and beside each other; nothing is staged.
  private static func examine(
    _ modules: inout [CheckedModule], in editor: RepositoryEditor, at time: Int64
  ) throws {
    var draft = try editor.read()
    var shelf = try ModuleShelf(reading: &draft)
    for place in modules.indices {
      let module = modules[place]
      modules[place].isNew = try shelf.add(module.check, file: module.file, at: time)
    }
    for place in modules.indices { modules[place].check.check(beside: shelf) }
  }
}

extension ModuleError.Code {
  static var registryOneName: Self { Self("registry-one-name", exit: .usage) }
  static var registryBadCustom: Self { Self("registry-bad-custom", exit: .usage) }
}
