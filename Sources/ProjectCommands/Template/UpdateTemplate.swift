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
    let update = try ProjectUpdate(of: project, temporary: context.directories.temporary)
    if !isDryRun, !force { try update.checkCommitted() }
    let record = update.record
    let from = source.from ?? (record.source.isEmpty ? nil : record.source)
    let template = try context.withShelf(from, kit: try? context.kit(source.kit)) { (shelf) throws(TemplateError) in
      try shelf.template(record.template, kind: .project)
    }
    let kit = try source.kit.map { try context.kit($0) }
    let values = try update.values(
      of: template, settings: try settings.values(), kit: kit, kitVersion: KitVersion.current.version,
      ask: context.ask)
    let planned = try update.planned(to: template, values, source: from)
    if !isDryRun { try planned.apply() }
    return UpdatedTemplate(record, planned.record, planned.changes, isDryRun: isDryRun)
  }
}

/// The changes of an update, done or planned.
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
