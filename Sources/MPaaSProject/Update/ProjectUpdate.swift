package import MPaaSSupport
package import MPaaSToolSupport

/// An update of a project by the template that it was made of.
package struct ProjectUpdate: Sendable {
  /// The changes of the project's files, and the record of the template as it is then.
  package struct Planned: Sendable {
    package let changes: ProjectChanges
    package let record: ProjectRecord
    private let new: RenderedTree

    init(_ changes: ProjectChanges, _ record: ProjectRecord, _ new: RenderedTree) {
      self.changes = changes
      self.record = record
      self.new = new
    }

    /// Changes the files, and what the project keeps of its template.
    ///
    /// - Throws: `TemplateError` as the file system has it; nothing is changed then.
    package func apply() throws(TemplateError) {
      try changes.adding(record, base: new).apply()
    }
  }

  package let root: String
  package let record: ProjectRecord
  private let temporary: TemporaryPlace
  private let processes: ProcessRunner

  /// - Parameters:
  ///   - project: The project's folder; nil for the one that the current folder is in.
  ///   - temporary: The place of texts that are merged.
  ///   - processes: Runs git.
  /// - Throws: `template-record-missing`.
  package init(
    of project: String?, temporary: TemporaryPlace, processes: ProcessRunner = .live
  ) throws(TemplateError) {
    guard let root = project ?? ProjectLayout.root(above: "."), let record = try ProjectRecord.read(root) else {
      throw TemplateError(.recordMissing, ["path": project ?? "."])
    }
    self.root = root
    self.record = record
    self.temporary = temporary
    self.processes = processes
  }

  /// Refuses a working copy with changes: what an update does could not be told from them.
  ///
  /// - Throws: `project-uncommitted`.
  package func checkCommitted() throws(TemplateError) {
    let request = ProcessRunner.Request(
      "git", ["-C", root, "status", "--porcelain", "--untracked-files=no", "--", "."], capturesOutput: true)
    guard let outcome = try? processes.run(request), outcome.status == 0 else { return }
    let files = outcome.output.split(separator: "\n").map { String($0.dropFirst(3)) }
    guard !files.isEmpty else { return }
    let shown = files.prefix(5).joined(separator: ", ") + (files.count > 5 ? ", …" : "")
    throw TemplateError(.uncommitted, ["path": root, "files": shown], at: .file(root))
  }

  /// Finds out what changes; nothing is written yet.
  ///
  /// - Parameters:
  ///   - template: The template as it is now.
  ///   - values: Its variables; see `values(of:)`.
  ///   - source: The place that the template came from; nil for the kit's and the user's own.
  /// - Throws: `TemplateError`: `template-base-missing`, `template-git-missing`, and as the template is rendered.
  package func planned(
    to template: Template, _ values: TemplateValues, source: String?
  ) throws(TemplateError) -> Planned {
    let base = try record.base(in: root)
    let new = try template.render(values)
    let labels = (
      mine: "yours", base: "\(record.template) \(record.version)",
      new: "\(template.manifest.name) \(template.manifest.version)"
    )
    let git = GitMerge(labels: labels, temporary: temporary, processes: processes)
    let update = TemplateUpdate(base: base, new: new, root: root) { (mine, base, new) throws(TemplateError) in
      try git.merge(mine, base, new)
    }
    let changes = try update.changes()
    let updated = ProjectRecord(
      template: record.template, version: template.manifest.version,
      source: try source.map { (source) throws(TemplateError) in try TemplateSource(source).settled } ?? "",
      values: values)
    return Planned(changes, updated, new)
  }
}
