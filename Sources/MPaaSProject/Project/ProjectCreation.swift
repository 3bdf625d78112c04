import MPaaSSupport

/// A project on its way into a folder of its own.
package struct ProjectCreation: Sendable {
  package let folder: String
  private let replaces: Bool
  private let isDryRun: Bool

  /// - Parameters:
  ///   - folder: The project's folder, which is made.
  ///   - replaces: Takes a folder that is there and has something in it.
  ///   - isDryRun: Renders the files and writes none.
  package init(in folder: String, replaces: Bool, isDryRun: Bool) {
    self.folder = folder
    self.replaces = replaces
    self.isDryRun = isDryRun
  }

  /// Refuses a folder that is not free, before anything is asked or fetched for it.
  ///
  /// - Throws: `TemplateError` `project-folder-exists`.
  package func checkFolder() throws(TemplateError) {
    guard !isDryRun, !replaces, let status = FileStatus(ofLink: folder) else { return }
    if status.kind == .folder, (try? FileSystem.names(in: folder).isEmpty) == true { return }
    throw TemplateError(.targetExists, ["path": folder], at: .file(folder))
  }

  /// Renders a template, and writes its files and what the project keeps of it.
  ///
  /// - Parameter source: The place that the template came from; nil for the kit's and the user's own.
  /// - Returns: All files.
  /// - Throws: `TemplateError` as the template is rendered and as the file system has it.
  package func create(
    by template: Template, _ values: TemplateValues, source: String?
  ) throws(TemplateError) -> RenderedTree {
    var tree = try template.render(values)
    let record = ProjectRecord(
      template: template.manifest.name, version: template.manifest.version,
      source: try source.map { (source) throws(TemplateError) in try TemplateSource(source).settled } ?? "",
      values: values)
    try record.add(to: &tree)
    if !isDryRun { try tree.write(to: folder, replaces: replaces) }
    return tree
  }
}
