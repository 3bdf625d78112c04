import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// `mpaas update-template`: brings later changes of a template into the project that was made of it.
struct UpdateTemplateCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("update-template", key: "update-template") }

  @Option(help: .text("command.new.project", valueName: "folder"), completion: .directory)
  var project: String?

  @Flag(name: .customLong("dry-run"), help: .text("command.update-template.dry-run"))
  var isDryRun = false

  @Flag(help: .text("command.update-template.force"))
  var force = false

  @OptionGroup var source: TemplateSourceOptions
  @OptionGroup var settings: TemplateSettingOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> UpdatedTemplate {
    guard let root = project ?? ProjectLayout.root(above: "."), let record = try ProjectRecord.read(root) else {
      throw TemplateError(.recordMissing, ["path": project ?? "."])
    }
    if !isDryRun, !force { try Self.checkCommitted(root) }
    let from = source.from ?? (record.source.isEmpty ? nil : record.source)
    let template = try context.withShelf(from, kit: try? context.kit(source.kit)) { (shelf) throws(TemplateError) in
      try shelf.template(record.template, kind: .project)
    }
    let values = try values(of: template, record, context)
    let base = try record.base(in: root)
    let new = try template.render(values)
    let labels = (
      mine: "yours", base: "\(record.template) \(record.version)",
      new: "\(template.manifest.name) \(template.manifest.version)"
    )
    let git = GitMerge(labels: labels, temporary: context.directories.temporary)
    let update = TemplateUpdate(base: base, new: new, root: root) { (mine, base, new) throws(TemplateError) in
      try git.merge(mine, base, new)
    }
    let visible = try update.changes()
    let updated = ProjectRecord(
      template: record.template, version: template.manifest.version,
      source: try from.map { try TemplateSource($0).settled } ?? "", values: values)
    if !isDryRun { try visible.adding(updated, base: new).apply() }
    return UpdatedTemplate(record, updated, visible, isDryRun: isDryRun)
  }

  private func values(of template: Template, _ record: ProjectRecord, _ context: Context) throws -> TemplateValues {
    func text(_ name: String) -> String { record.values[name]?.json.string ?? "" }
    var name = try ProjectName(text("name"))
    if text("name_identifier") != name.identifier { name = try name.named(text("name_identifier")) }
    var builtIn = BuiltInVariables(name: name, year: text("year"), kitVersion: KitVersion.current.version)
    // The kit that the project was made with stays, unless another is asked for.
    builtIn.kit =
      source.kit == nil
      ? Kit(
        path: text("kit_path").isEmpty ? nil : text("kit_path"), url: text("kit_url").isEmpty ? nil : text("kit_url"),
        templates: nil) : try context.kit(source.kit)
    builtIn.author = text("author")
    builtIn.organization = text("organization")
    builtIn.appKey = text("app_key")
    builtIn.language = text("lang")
    builtIn.isObjectiveC = record.values["objc"]?.isSomething ?? false
    if case .records(let keys)? = record.values["hotpatch_keys"] { builtIn.hotpatchKeys = keys }
    var answers = TemplateAnswers()
    answers.settings = try settings.values()
    answers.recorded = record.values
    return try template.values(builtIn, answers) { context.ask($0) }
  }

  /// Refuses a working copy with changes: what an update does could not be told from them.
  private static func checkCommitted(_ root: String) throws {
    let request = ProcessRunner.Request(
      "git", ["-C", root, "status", "--porcelain", "--untracked-files=no", "--", "."], capturesOutput: true)
    guard let outcome = try? ProcessRunner.live.run(request), outcome.status == 0 else { return }
    let files = outcome.output.split(separator: "\n").map { String($0.dropFirst(3)) }
    guard !files.isEmpty else { return }
    let shown = files.prefix(5).joined(separator: ", ") + (files.count > 5 ? ", …" : "")
    throw TemplateError(.uncommitted, ["path": root, "files": shown], at: .file(root))
  }
}

/// What an update did, or would do.
struct UpdatedTemplate: Presentable {
  let template: String
  let from: String
  let to: String
  let changed: Bool
  let dryRun: Bool
  let conflicts: [String]
  let changes: ProjectChangesView

  private enum CodingKeys: String, CodingKey { case template, from, to, changed, dryRun, conflicts, files, diff }

  init(_ old: ProjectRecord, _ new: ProjectRecord, _ changes: ProjectChanges, isDryRun: Bool) {
    template = old.template
    from = old.version
    to = new.version
    changed = !changes.isEmpty
    dryRun = isDryRun
    conflicts = changes.conflicts
    self.changes = ProjectChangesView(changes, showsDiff: isDryRun)
  }

  var exit: ExitStatus { conflicts.isEmpty ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(template, forKey: .template)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    try container.encode(changed && !dryRun, forKey: .changed)
    try container.encode(dryRun, forKey: .dryRun)
    try container.encode(conflicts, forKey: .conflicts)
    try container.encode(changes.files, forKey: .files)
    try container.encodeIfPresent(changes.diff, forKey: .diff)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = ["template": template, "from": from, "to": to, "count": String(conflicts.count)]
    let key =
      !changed && conflicts.isEmpty ? "text.update-nothing" : dryRun ? "text.update-planned" : "text.update-done"
    document.line(StyledText(catalogue.text(key, values), .good))
    changes.append(to: &document, catalogue)
    if !conflicts.isEmpty { document.line(StyledText(catalogue.text("text.update-conflicts", values), .bad)) }
    return document
  }
}
