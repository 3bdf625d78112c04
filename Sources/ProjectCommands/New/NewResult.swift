import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// The kinds, or the part that was made.
enum NewResult: Presentable {
  case list(TemplateTable)
  case made(MadePiece)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let table): try table.encode(to: encoder)
    case .made(let piece): try piece.encode(to: encoder)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    switch self {
    case .list(let table): table.document(catalogue)
    case .made(let piece): piece.document(catalogue)
    }
  }
}

/// A part of a project that was made, or would be.
struct MadePiece: Presentable {
  let kind: String
  let type: String
  let project: String
  let changed: Bool
  let dryRun: Bool
  let changes: ProjectChangesView
  /// The file that registers it; nil where its source does.
  let registeredIn: String?

  private enum CodingKeys: String, CodingKey { case kind, type, project, changed, dryRun, registeredIn, files, diff }

  init(_ order: PieceOrder, _ changes: ProjectChanges, isDryRun: Bool) {
    kind = order.template.manifest.name
    type = order.name.type
    project = order.layout.root
    changed = !changes.isEmpty
    dryRun = isDryRun
    self.changes = ProjectChangesView(changes, showsDiff: isDryRun)
    registeredIn = order.template.manifest.registrations.isEmpty ? nil : order.layout.runtimeFile
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(type, forKey: .type)
    try container.encode(project, forKey: .project)
    try container.encode(changed && !dryRun, forKey: .changed)
    try container.encode(dryRun, forKey: .dryRun)
    try container.encodeIfPresent(registeredIn, forKey: .registeredIn)
    try container.encode(changes.files, forKey: .files)
    try container.encodeIfPresent(changes.diff, forKey: .diff)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = ["kind": kind, "type": type]
    guard changed else {
      document.line(StyledText(catalogue.text("text.new-nothing", values), .faint))
      changes.append(to: &document, catalogue)
      return document
    }
    document.line(StyledText(catalogue.text(dryRun ? "text.new-planned" : "text.new-made", values), .good))
    changes.append(to: &document, catalogue)
    return document
  }
}
