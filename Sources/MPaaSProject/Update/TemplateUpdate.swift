package import MPaaSSupport
package import MPaaSToolSupport

/// Brings what changed in a template into a project that was made of it, beside what the user changed.
///
/// Three trees: `base`, as the template was rendered then; `new`, as it is rendered now; and the project's files.
package struct TemplateUpdate: Sendable {
  package let base: RenderedTree
  package let new: RenderedTree
  package let root: String
  /// Merges three texts; see `GitMerge`.
  package let merge: @Sendable (_ mine: [UInt8], _ base: [UInt8], _ new: [UInt8]) throws(TemplateError) -> Merged

  /// A merged text, and how many places both sides changed.
  package struct Merged: Sendable, Equatable {
    package let bytes: [UInt8]
    package let conflicts: Int

    package init(bytes: [UInt8], conflicts: Int) {
      self.bytes = bytes
      self.conflicts = conflicts
    }
  }

  package init(
    base: RenderedTree, new: RenderedTree, root: String,
    merge: @escaping @Sendable ([UInt8], [UInt8], [UInt8]) throws(TemplateError) -> Merged
  ) {
    self.base = base
    self.new = new
    self.root = root
    self.merge = merge
  }

  /// The changes of the update to the files, in the order of their paths; those that need nothing are left out.
  package func changes() throws(TemplateError) -> ProjectChanges {
    var changes = ProjectChanges(root: root)
    for path in Set(base.paths + new.paths).sorted() {
      let mine = try changes.bytes(path)
      if let change = try change(path, base[path], new[path], mine) { changes.append(change) }
    }
    return changes
  }

  private func change(
    _ path: String, _ base: RenderedTree.File?, _ new: RenderedTree.File?, _ mine: [UInt8]?
  ) throws(TemplateError) -> ProjectChanges.Change? {
    if base == new { return nil }
    guard let new else { return removal(path, base, mine) }
    guard let mine else {
      // Removed by the user, or never there.
      return .init(path: path, kind: base == nil ? .created : .deleted, old: nil, new: new)
    }
    if mine == new.bytes { return nil }
    if mine == base?.bytes { return .init(path: path, kind: .edited, old: mine, new: new) }
    if base?.bytes == new.bytes { return nil }
    guard [mine, new.bytes, base?.bytes ?? []].allSatisfy(Self.isText) else {
      return .init(path: path, kind: .conflict, old: mine, new: .init(bytes: mine))
    }
    let merged = try merge(mine, base?.bytes ?? [], new.bytes)
    if merged.bytes == mine, merged.conflicts == 0 { return nil }
    let file = RenderedTree.File(bytes: merged.bytes, isExecutable: new.isExecutable)
    return .init(path: path, kind: merged.conflicts > 0 ? .conflict : .edited, old: mine, new: file)
  }

  /// The template has it no more: it goes, unless the user changed it.
  private func removal(_ path: String, _ base: RenderedTree.File?, _ mine: [UInt8]?) -> ProjectChanges.Change? {
    guard let mine else { return nil }
    let isMine = mine != base?.bytes
    return .init(path: path, kind: isMine ? .kept : .removed, old: mine, new: isMine ? .init(bytes: mine) : nil)
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }
}

/// Merging by `git merge-file`.
package struct GitMerge: Sendable {
  /// The names of the two sides in markers.
  package let labels: (mine: String, base: String, new: String)
  package let processes: ProcessRunner
  /// The place of the three texts meanwhile.
  package let temporary: TemporaryPlace

  package init(
    labels: (mine: String, base: String, new: String), temporary: TemporaryPlace, processes: ProcessRunner = .live
  ) {
    self.labels = labels
    self.temporary = temporary
    self.processes = processes
  }

  /// - Throws: `TemplateError` `template-git-missing`, or as a file is not written.
  package func merge(_ mine: [UInt8], _ base: [UInt8], _ new: [UInt8]) throws(TemplateError) -> TemplateUpdate.Merged {
    do throws(FileError) {
      let folder = try temporary.makeFolder("mpaas-merge")
      defer { FileSystem.removeTree(folder) }
      let files = ["mine", "base", "new"].map { folder + "/" + $0 }
      for (file, bytes) in zip(files, [mine, base, new]) {
        try RenderedTree.File(bytes: bytes).write(to: file, isSettled: false)
      }
      let names = ["-L", labels.mine, "-L", labels.base, "-L", labels.new]
      let outcome = try processes.run(
        .init("git", ["merge-file", "-p", "--quiet"] + names + files, capturesOutput: true))
      // More than 127 are told as an error.
      guard outcome.status < 128 else { throw FileError(.read, "git merge-file", .invalidArgument) }
      return .init(bytes: Array(outcome.output.utf8), conflicts: Int(outcome.status))
    } catch {
      guard error.path != "git" else { throw TemplateError(.gitMissing) }
      throw TemplateError(error)
    }
  }
}

extension CodedError<TemplateDomain>.Code {
  package static var recordMissing: Self { Self("template-record-missing", exit: .inputMissing) }
  package static var baseMissing: Self { Self("template-base-missing", exit: .inputMissing) }
  package static var uncommitted: Self { Self("project-uncommitted", exit: .notPermitted) }
}
