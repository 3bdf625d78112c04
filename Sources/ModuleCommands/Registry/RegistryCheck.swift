import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrustTools

extension RegistryCommand {
  /// `mpaas registry check`: verifies all that is published, as a client would.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "registry.check") }

    @Flag(help: .text("command.registry.check.strict"))
    var strict = false

    @Flag(name: .customLong("no-content"), help: .text("command.registry.check.no-content"))
    var noContent = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CheckedRegistry {
      var check = RepositoryCheck(RepositoryFolder(repository.repository), now: context.now())
      try check.run(content: !noContent)
      return CheckedRegistry(check, isStrict: strict)
    }
  }

  /// `mpaas registry gc`: removes what newer versions replaced.
  struct Collect: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("gc", key: "registry.gc") }

    @Option(name: .customLong("unchanged-for"), help: .text("command.registry.gc.unchanged-for", valueName: "days"))
    var days: Double = 7

    @Flag(help: .text("command.registry.gc.dry-run"))
    var dryRun = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CollectedRegistry {
      guard days >= 0, days < 1e6 else {
        throw Diagnostic("registry-bad-days", ["role": "gc", "value": String(days)], exit: .usage)
      }
      let files = try repository.editor(context).collect(unchangedFor: Int64(days * 86_400), dryRun: dryRun)
      return CollectedRegistry(removed: files, size: files.reduce(0) { $0 + $1.size }, isTrial: dryRun)
    }
  }
}

/// The findings of the check.
struct CheckedRegistry: Presentable {
  let valid: Bool
  let findings: [RepositoryFinding]
  let metadata: Int
  let targets: Int
  private let isStrict: Bool

  private enum CodingKeys: String, CodingKey {
    case valid, findings, metadata, targets
  }

  init(_ check: RepositoryCheck, isStrict: Bool) {
    findings = check.findings
    valid = !check.findings.contains { $0.severity == .problem }
    metadata = check.metadataCount
    targets = check.targetCount
    self.isStrict = isStrict
  }

  var exit: ExitStatus {
    findings.contains { isStrict || $0.severity != .advice } ? .negative : .done
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for finding in findings.prefix(200) {
      let style: TextRole = finding.severity == .problem ? .bad : finding.severity == .warning ? .warning : .faint
      let values = finding.values.merging(["subject": finding.subject]) { $1 }
      document.line(
        StyledText(catalogue.text("text.registry-severity-" + finding.severity.rawValue), style)
          + StyledText(" " + catalogue.text("text.registry-finding-" + finding.kind.rawValue, values)))
    }
    document.line(
      StyledText(
        catalogue.text(
          valid ? "text.registry-valid" : "text.registry-not-valid",
          ["metadata": String(metadata), "targets": String(targets)])))
    return document
  }
}

/// The files that were removed.
struct CollectedRegistry: Presentable {
  let removed: [CollectedFile]
  let size: UInt64
  let isTrial: Bool

  private enum CodingKeys: String, CodingKey {
    case removed, size
    case isTrial = "dry_run"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: removed.prefix(200).map { StyledText($0.path, .path) })
    document.line(
      StyledText(
        catalogue.text(
          isTrial ? "text.registry-would-free" : "text.registry-freed",
          ["count": String(removed.count), "size": ByteCount(size).description])))
    return document
  }
}
