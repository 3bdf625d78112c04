package import MPaaSArchive
package import MPaaSSupport

/// The files of a template as they were rendered, the same bytes for the same files.
extension StoredZip {
  package static func bytes(of tree: RenderedTree) -> [UInt8] {
    let entries = tree.paths.compactMap { path in
      tree[path].map { Entry(name: path, contents: $0.bytes, isExecutable: $0.isExecutable) }
    }
    return encoded(entries, .files)
  }

  /// Reads what `bytes(of:)` wrote.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `TemplateError` `template-base-malformed`, and of paths that no template makes.
  package static func tree(_ bytes: [UInt8], file: String) throws(TemplateError) -> RenderedTree {
    let entries: [Entry]
    do throws(ZipError) {
      entries = try Self.entries(in: Bytes(bytes), .files)
    } catch {
      throw malformed(file)
    }
    var tree = RenderedTree()
    for entry in entries {
      try tree.add(.init(bytes: entry.contents, isExecutable: entry.isExecutable), at: entry.name, origin: file)
    }
    return tree
  }

  private static func malformed(_ file: String) -> TemplateError {
    TemplateError(.baseMalformed, ["file": file], at: .file(file))
  }
}

extension CodedError<TemplateDomain>.Code {
  package static var baseMalformed: Self { malformed("template-base-malformed") }
}
