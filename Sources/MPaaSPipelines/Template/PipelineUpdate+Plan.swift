package import MPaaSProject
import MPaaSSupport

extension PipelineUpdate {
  /// The changes of a project's files, and what it keeps of them then.
  package struct Planned: Sendable {
    package let changes: ProjectChanges
    package let record: ProjectRecord
    /// The steps that the pipelines have then.
    package let steps: [PipelineStep]
    private let new: RenderedTree

    init(_ changes: ProjectChanges, _ record: ProjectRecord, _ steps: [PipelineStep], _ new: RenderedTree) {
      self.changes = changes
      self.record = record
      self.steps = steps
      self.new = new
    }

    /// Changes the files and the record, or nothing.
    ///
    /// - Throws: `TemplateError` as the file system has it.
    package func apply() throws(TemplateError) {
      try changes.adding(record, base: new, .pipeline).apply()
    }
  }

  /// Finds out what changes; nothing is written yet.
  ///
  /// The steps come first: the pipelines are rendered with those that the user has in the end.
  ///
  /// - Parameters:
  ///   - values: The variables but for the steps.
  ///   - source: The place that the template came from; nil for the kit's and the user's own.
  ///   - replaces: True to replace files that no pipeline of earlier wrote.
  /// - Throws: `PipelineError` `ci-file-exists`, of the steps, and as the template is rendered and merged.
  package func planned(
    to template: Template, _ values: TemplateValues, source: String?, replaces: Bool
  ) throws(PipelineError) -> Planned {
    do throws(TemplateError) {
      let base = try recorded()
      let first = try template.render(values)
      let conflicting = replaces ? [] : try foreign(first, base)
      guard conflicting.isEmpty else { return try refuse(conflicting) }
      let steps = try steps(base, first, template, replaces)
      let new = try template.render(values.merging(["steps": Self.records(steps, values)]) { $1 })
      let changes = try changes(base, new, template, replaces)
      let record = ProjectRecord(
        template: template.manifest.name, version: template.manifest.version, source: source ?? "", values: kept(values)
      )
      return Planned(changes, record, steps, new)
    } catch {
      throw PipelineError(error)
    }
  }

  /// The files as they were written last; none before the first time.
  private func recorded() throws(TemplateError) -> RenderedTree {
    try record?.base(in: root, .pipeline) ?? RenderedTree()
  }

  /// The files that are there and that no pipeline of earlier wrote.
  private func foreign(_ new: RenderedTree, _ base: RenderedTree) throws(TemplateError) -> [String] {
    let disk = ProjectChanges(root: root)
    var paths: [String] = []
    for path in new.paths where base[path] == nil {
      if let bytes = try disk.bytes(path), bytes != new[path]?.bytes { paths.append(path) }
    }
    return paths
  }

  private func refuse(_ paths: [String]) throws(TemplateError) -> Planned {
    let place = Place.file(ProjectLayout.path(root, paths[0]))
    throw TemplateError(PipelineError(.fileExists, ["files": paths.joined(separator: ", ")], at: place))
  }

  /// The steps as they stand in the user's file after the update.
  private func steps(
    _ base: RenderedTree, _ new: RenderedTree, _ template: Template, _ replaces: Bool
  ) throws(TemplateError) -> [PipelineStep] {
    let changes = try changes(
      try Self.only(StepFile.name, of: base), try Self.only(StepFile.name, of: new), template, replaces)
    let rendered = new[StepFile.name]?.bytes ?? []
    var bytes = try changes.bytes(StepFile.name) ?? rendered
    if let change = changes.changes.first { bytes = change.kind == .conflict ? rendered : change.new?.bytes ?? bytes }
    do throws(PipelineError) {
      let file = ProjectLayout.path(root, StepFile.name)
      return try StepFile(String(decoding: bytes, as: UTF8.self), file: file).steps
    } catch {
      throw TemplateError(error)
    }
  }

  private static func only(_ path: String, of tree: RenderedTree) throws(TemplateError) -> RenderedTree {
    var only = RenderedTree()
    if let file = tree[path] { try only.add(file, at: path, origin: path) }
    return only
  }

  private func changes(
    _ base: RenderedTree, _ new: RenderedTree, _ template: Template, _ replaces: Bool
  ) throws(TemplateError) -> ProjectChanges {
    let labels = (
      mine: "yours", base: "\(Self.template) \(record?.version ?? "–")",
      new: "\(template.manifest.name) \(template.manifest.version)"
    )
    let git = GitMerge(labels: labels, temporary: temporary, processes: processes)
    return try TemplateUpdate(base: base, new: new, root: root) { (mine, base, new) throws(TemplateError) in
      // Without a base the file is none of ours, and was said to be replaced.
      base.isEmpty && replaces ? .init(bytes: new, conflicts: 0) : try git.merge(mine, base, new)
    }.changes()
  }

  /// The steps as the template knows them.
  private static func records(_ steps: [PipelineStep], _ values: TemplateValues) -> TemplateValue {
    let language = values["lang"]?.json.string ?? "en"
    return .records(steps.map { ["step_name": $0.name, "step_title": $0.title.text(language)] })
  }

  /// The variables that a later update goes on from; what the project's files tell is looked up anew each time.
  private func kept(_ values: TemplateValues) -> TemplateValues {
    values.filter { name, _ in
      ["lang", "year"].contains(name)
        || !BuiltInVariables.names.union(BuiltInVariables.pipelineNames).contains(name)
    }
  }
}
