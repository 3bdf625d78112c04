import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

/// An archive that was checked, as commands show it.
struct ModuleReport: Encodable {
  let file: String
  let name: String
  let version: String
  let archive: String
  let size: UInt64
  let sha256: String
  let unpackedSize: UInt64
  let fileCount: Int
  /// Tells whether the registry does not have it yet.
  let isNew: Bool
  let findings: [ModuleFinding]
  let isRefused: Bool
  private let isStrict: Bool

  private enum CodingKeys: String, CodingKey {
    case file, name, version, archive, size, sha256, findings
    case unpackedSize = "unpacked_size"
    case fileCount = "file_count"
    case isNew = "new"
  }

  init(_ module: CheckedModule, isStrict: Bool) {
    let archive = module.check.archive
    file = module.file
    name = module.check.manifest.name
    version = module.check.manifest.version.text
    self.archive = archive.name
    size = archive.size
    sha256 = archive.sha256
    unpackedSize = archive.unpackedSize
    fileCount = archive.fileCount
    isNew = module.isNew
    findings = module.check.findings
    isRefused = module.isRefused(isStrict)
    self.isStrict = isStrict
  }

  func append(to document: inout Document, _ catalogue: Catalogue) {
    let values = [
      "name": name, "version": version, "size": ByteCount(size).description, "count": String(fileCount),
    ]
    document.line(StyledText(catalogue.text(isNew ? "text.module-archive" : "text.module-archive-known", values)))
    for finding in findings {
      let isError = isStrict || finding.severity == .error
      let values = finding.values.merging(["subject": finding.subject]) { $1 }
      let key = finding.values["meant"] == "" ? "-bare" : ""
      document.line(
        StyledText("  ")
          + StyledText(catalogue.text(isError ? "text.module-error" : "text.module-warning"), isError ? .bad : .warning)
          + StyledText(" " + catalogue.text("text.module-finding-" + finding.kind.rawValue + key, values)))
    }
  }
}

/// The outcome for files that were to be offered.
struct AddedTargets: Presentable {
  private let repository: String
  /// nil where nothing was staged: a trial, or findings that forbid it.
  private let outcome: RegistryOutcome?
  let modules: [ModuleReport]
  private let isTrial: Bool
  private let errors: Int

  private enum CodingKeys: String, CodingKey {
    case repository, published, pending, blocked, modules
    case isTrial = "dry_run"
  }

  init(_ modules: [CheckedModule], _ outcome: RegistryOutcome, isStrict: Bool) {
    self.init(modules, outcome, outcome.repository, isTrial: false, isStrict: isStrict)
  }

  /// Nothing was staged.
  init(_ modules: [CheckedModule], repository: String, isTrial: Bool, isStrict: Bool) {
    self.init(modules, nil, repository, isTrial: isTrial, isStrict: isStrict)
  }

  private init(
    _ modules: [CheckedModule], _ outcome: RegistryOutcome?, _ repository: String, isTrial: Bool, isStrict: Bool
  ) {
    self.modules = modules.map { ModuleReport($0, isStrict: isStrict) }
    self.outcome = outcome
    self.repository = repository
    self.isTrial = isTrial
    errors = modules.flatMap(\.check.findings).count { isStrict || $0.severity == .error }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(repository, forKey: .repository)
    try container.encode(outcome?.published ?? [], forKey: .published)
    try container.encode(outcome?.pending ?? [], forKey: .pending)
    try container.encode(outcome?.blocked ?? [], forKey: .blocked)
    if !modules.isEmpty { try container.encode(modules, forKey: .modules) }
    if isTrial { try container.encode(true, forKey: .isTrial) }
  }

  var exit: ExitStatus { errors > 0 ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for module in modules { module.append(to: &document, catalogue) }
    if let outcome { document.blocks += outcome.document(catalogue).blocks }
    if errors > 0 {
      document.line(StyledText(catalogue.text("text.module-refused", ["count": String(errors)]), .bad))
    } else if isTrial {
      document.line(StyledText(catalogue.text("text.module-trial")))
    }
    return document
  }
}
