import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

/// The actions of bringing a project into step did, or would do.
struct SyncedProject: Presentable {
  struct Change: Encodable, Sendable {
    let name: String
    /// nil for a module that is added.
    let from: String?
    /// nil for one that is removed.
    let to: String?
    /// Empty for all.
    let targets: [String]
    /// Newest first.
    let notes: [OutdatedModules.Note]

    init(_ change: SyncChange) {
      name = change.name
      from = change.from?.text
      to = change.to?.text
      targets = change.targets
      notes = change.notes.map(OutdatedModules.Note.init)
    }
  }

  struct Module: Encodable, Sendable {
    let name: String
    let version: String
    let registry: String
    let size: UInt64
    /// Empty for all.
    let targets: [String]
  }

  let dryRun: Bool
  let changes: [Change]
  let modules: [Module]
  let downloads: Int
  let downloaded: UInt64
  let placed: [String]
  let removed: [String]
  let kept: [String]
  let left: [String]
  let wroteLock: Bool
  let wroteManifest: Bool
  /// nil where there is no Xcode project, or it is to be left alone.
  let xcode: WiredXcode?
  private let isUnchanged: Bool

  private enum CodingKeys: String, CodingKey {
    case dryRun, changes, modules, downloads, downloaded, placed, removed, kept, left, wroteLock, wroteManifest, xcode
  }

  init(_ outcome: SyncOutcome, xcode: WiredXcode? = nil) {
    self.xcode = xcode
    dryRun = outcome.isDryRun
    changes = outcome.changes.map(Change.init)
    modules = outcome.modules.map {
      Module(name: $0.name, version: $0.version.text, registry: $0.registry, size: $0.size, targets: $0.targets)
    }
    downloads = outcome.downloads
    downloaded = outcome.downloaded
    placed = outcome.placed
    removed = outcome.removed
    kept = outcome.kept
    left = outcome.left
    wroteLock = outcome.wroteLock
    wroteManifest = outcome.wroteManifest
    isUnchanged = outcome.isUnchanged && !(xcode?.changed ?? false)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for change in changes { Self.describe(change, isPlan: dryRun, &document, catalogue) }
    for path in kept {
      document.line(StyledText(catalogue.text("text.module-kept", ["path": path]), .warning))
    }
    for path in left {
      document.line(StyledText(catalogue.text("text.module-left", ["path": path]), .warning))
    }
    xcode?.append(to: &document, catalogue)
    let values = [
      "count": String(modules.count), "placed": String(placed.count), "removed": String(removed.count),
      "downloads": String(downloads), "size": ByteCount(downloaded).description,
      "kept": String(kept.count + left.count),
    ]
    if dryRun {
      document.line(StyledText(catalogue.text("text.module-plan", values)))
    } else if isUnchanged, !(kept.isEmpty && left.isEmpty) {
      document.line(StyledText(catalogue.text("text.module-unchanged-kept", values), .warning))
    } else if isUnchanged {
      document.line(StyledText(catalogue.text("text.module-unchanged", values), .good))
    } else {
      document.line(StyledText(catalogue.text("text.module-synced", values), .good))
    }
    return document
  }

  private static func describe(
    _ change: Change, isPlan: Bool, _ document: inout Document, _ catalogue: Catalogue
  ) {
    var line = StyledText()
    switch (change.from, change.to) {
    case (nil, let to?):
      line.append("+ ", .good)
      line.append(change.name, .emphasis)
      line.append(" " + to)
    case (let from?, nil):
      line.append("- ", .bad)
      line.append(change.name, .emphasis)
      line.append(" " + from)
    case (let from, let to):
      line.append("~ ", .warning)
      line.append(change.name, .emphasis)
      line.append(" \(from ?? "") → \(to ?? "")")
    }
    if !change.targets.isEmpty { line.append("  (\(change.targets.joined(separator: ", ")))", .faint) }
    document.line(line)
    // The news of a module that was not there are what it is for.
    guard isPlan, change.from != nil else { return }
    for note in change.notes { document.blocks += note.lines(catalogue).map(Document.Block.line) }
  }
}
