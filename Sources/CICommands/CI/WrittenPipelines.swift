import MPaaSPipelines
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import ProjectCommands

/// The pipelines of a project as they were written, or would be.
struct WrittenPipelines: Presentable {
  let systems: [String]
  let steps: [String]
  let changed: Bool
  let dryRun: Bool
  let conflicts: [String]
  private let changes: ProjectChangesView

  private enum CodingKeys: String, CodingKey { case systems, steps, changed, dryRun, conflicts, files, diff }

  init(_ systems: [PipelineSystem], _ planned: PipelineUpdate.Planned, isDryRun: Bool) {
    self.systems = systems.map(\.rawValue)
    steps = planned.steps.map(\.name)
    changed = !planned.changes.isEmpty
    dryRun = isDryRun
    conflicts = planned.changes.conflicts
    changes = ProjectChangesView(planned.changes, showsDiff: isDryRun)
  }

  var exit: ExitStatus { conflicts.isEmpty ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(systems, forKey: .systems)
    try container.encode(steps, forKey: .steps)
    try container.encode(changed && !dryRun, forKey: .changed)
    try container.encode(dryRun, forKey: .dryRun)
    try container.encode(conflicts, forKey: .conflicts)
    try container.encode(changes.files, forKey: .files)
    try container.encodeIfPresent(changes.diff, forKey: .diff)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = [
      "systems": systems.joined(separator: ", "), "steps": steps.joined(separator: ", "),
      "count": String(conflicts.count),
    ]
    let key = !changed ? "text.ci-init-unchanged" : dryRun ? "text.ci-init-planned" : "text.ci-init-done"
    document.line(StyledText(catalogue.text(key, values), .good))
    changes.append(to: &document, catalogue)
    if !conflicts.isEmpty { document.line(StyledText(catalogue.text("text.ci-init-conflicts", values), .bad)) }
    if changed { document.line(StyledText(catalogue.text("text.ci-init-next", values), .faint)) }
    return document
  }
}
