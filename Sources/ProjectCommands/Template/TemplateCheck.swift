import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension TemplateCommand {
  /// `mpaas template check FOLDER`: what is wrong with a template.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "template.check") }

    @Argument(help: .text("command.template.check.folder"), completion: .directory)
    var folder: String

    @Flag(name: .customLong("strict"), help: .text("command.template.check.strict"))
    var isStrict = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CheckedTemplate {
      let places = context.templatePlaces(try? context.kit(nil))
      let check = TemplateCheck(folder: folder) { (base) throws(TemplateError) in
        for place in places {
          let path = place.folder + "/" + base
          if FileStatus(path + "/" + TemplateManifest.fileName) != nil { return path }
        }
        throw TemplateError(
          .unknown,
          ["name": base, "known": "–", "places": places.map(\.folder).joined(separator: ", ")], at: .file(folder))
      }
      return CheckedTemplate(folder, check, isStrict: isStrict, catalogue: context.catalogue)
    }
  }
}

/// The findings in a template.
struct CheckedTemplate: Presentable {
  struct Finding: Encodable {
    let code: String
    let severity: String
    let message: String
    let place: String?
  }

  let path: String
  let name: String?
  let files: Int
  let valid: Bool
  let findings: [Finding]

  init(_ path: String, _ check: TemplateCheck, isStrict: Bool, catalogue: Catalogue) {
    self.path = path
    name = check.template?.manifest.name
    files = check.template?.files.count ?? 0
    func finding(_ error: TemplateError, _ severity: String) -> Finding {
      let diagnostic = error.diagnostic
      return Finding(
        code: diagnostic.id.name, severity: severity,
        message: catalogue.sentence(diagnostic.id.name, diagnostic.values), place: diagnostic.place?.description)
    }
    findings = check.faults.map { finding($0, "error") } + check.doubts.map { finding($0, "warning") }
    valid = check.faults.isEmpty && (!isStrict || check.doubts.isEmpty)
  }

  var exit: ExitStatus { valid ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for finding in findings {
      let isError = finding.severity == "error"
      let head = StyledText(catalogue.text(isError ? "text.error" : "text.warning"), isError ? .bad : .warning)
      let gap: StyledText = catalogue.language == .english ? " " : ""
      document.line(head + gap + StyledText(finding.message))
      if let place = finding.place, !finding.message.contains(place) { document.line("  " + StyledText(place, .path)) }
    }
    let key = valid ? "text.template-checked" : "text.template-faulty"
    let values = ["name": name ?? path, "count": String(files)]
    document.line(StyledText(catalogue.text(key, values), valid ? .good : .bad))
    return document
  }
}
