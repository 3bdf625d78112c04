import MPaaSArchive
import MPaaSSupport

extension ProjectRecord {
  /// Adds what the project keeps of its template to what was rendered: the record, and the files as they are now.
  ///
  /// - Throws: `TemplateError` where the template has files of those names itself.
  package func add(to tree: inout RenderedTree) throws(TemplateError) {
    let base = StoredZip.bytes(of: tree)
    try tree.add(.init(bytes: Array(text.utf8)), at: Self.file, origin: Self.file)
    try tree.add(.init(bytes: base), at: Self.baseFile, origin: Self.baseFile)
  }
}

extension ProjectRecord {
  /// The template's files as they were when the project was made or last updated.
  ///
  /// - Throws: `TemplateError` `template-base-missing`, `template-base-malformed`.
  package func base(in root: String, _ home: Home = .project) throws(TemplateError) -> RenderedTree {
    let file = ProjectLayout.path(root, home.baseFile)
    guard FileStatus(file)?.kind == .file else { throw TemplateError(.baseMissing, ["file": file], at: .file(file)) }
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.reading(file, limit: RenderedTree.limits.bytes * 2)
    } catch {
      throw TemplateError(error)
    }
    return try StoredZip.tree(bytes.array, file: file)
  }
}

extension ProjectChanges {
  /// The changes, and those of what the project keeps of its template; they come last.
  package func adding(
    _ record: ProjectRecord, base: RenderedTree, _ home: ProjectRecord.Home = .project
  ) throws(TemplateError) -> ProjectChanges {
    var all = self
    for (path, bytes) in [
      (home.baseFile, StoredZip.bytes(of: base)), (home.file, Array(record.text(in: home).utf8)),
    ] {
      let old = try self.bytes(path)
      if old != bytes {
        all.append(Change(path: path, kind: old == nil ? .created : .edited, old: old, new: .init(bytes: bytes)))
      }
    }
    return all
  }
}
