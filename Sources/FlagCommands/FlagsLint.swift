import ArgumentParser
import CommandKit
import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags lint FILE…`: what is wrong with states.
  struct Lint: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("lint", key: "flags.lint") }

    @Argument(help: .text("command.flags.lint.files"), completion: .file(extensions: ["json"]))
    var files: [String]

    @Flag(help: .text("command.flags.lint.strict"))
    var strict = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagFindingsView {
      let found = try files.map { file in
        (context.name(ofData: file), FlagLint.findings(in: try context.flagState(at: file)))
      }
      return FlagFindingsView(found, isStrict: strict, context.catalogue)
    }
  }
}

/// The findings of a check: file, severity, sentence, identifier.
struct FlagFindingsView: Presentable {
  struct Finding: Encodable {
    let code: String
    let severity: FlagFinding.Severity
    let message: String
    let help: String
    let file: String
    let flag: String?
  }

  private enum CodingKeys: String, CodingKey { case errors, warnings, findings }

  let errors: Int
  let warnings: Int
  let findings: [Finding]
  private let isStrict: Bool
  private let files: Int

  init(_ found: [(file: String, findings: [FlagFinding])], isStrict: Bool, _ catalogue: Catalogue) {
    findings = found.flatMap { file, findings in
      findings.map { finding in
        let diagnostic = finding.error.diagnostic
        return Finding(
          code: diagnostic.id.name, severity: finding.severity,
          message: catalogue.sentence(diagnostic.id.name, diagnostic.values),
          help: catalogue.text("diagnostic.\(diagnostic.id.name).help", diagnostic.values), file: file,
          flag: diagnostic.values["flag"])
      }
    }
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    self.isStrict = isStrict
    files = found.count
  }

  var exit: ExitStatus { errors > 0 || (isStrict && warnings > 0) ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    var told: Set<String> = []
    for finding in findings {
      var line = StyledText(finding.file, .path) + ": "
      let word = catalogue.text("text.finding-\(finding.severity.rawValue)")
      line.append(word, finding.severity == .error ? .bad : .warning)
      document.line(line + StyledText(": " + finding.message) + StyledText(" [\(finding.code)]", .faint))
      // Once is enough for each kind.
      guard told.insert(finding.code).inserted else { continue }
      let gap = catalogue.language == .english ? " " : ""
      document.line("  " + StyledText(catalogue.text("text.help"), .good) + StyledText(gap + finding.help))
    }
    document.line(sum(catalogue))
    return document
  }

  private func sum(_ catalogue: Catalogue) -> StyledText {
    guard !findings.isEmpty else {
      let key = files == 1 ? "text.finding-none-one" : "text.finding-none"
      return StyledText(catalogue.text(key, ["files": "\(files)"]), .good)
    }
    let values = ["errors": "\(errors)", "warnings": "\(warnings)"]
    return StyledText(catalogue.text("text.finding-sum", values), errors > 0 ? .bad : .emphasis)
  }
}
