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
