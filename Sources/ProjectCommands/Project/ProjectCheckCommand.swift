import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand {
  /// `mpaas project check PROJECT…`: what does not hold together.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "project.check") }

    @Argument(help: .text("command.project.check.projects"), completion: .file(extensions: ["xcodeproj", "pbxproj"]))
    var projects = ["."]

    @Flag(name: .long, help: .text("command.project.check.errors-only"))
    var errorsOnly = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ProjectCheckReport {
      var report = ProjectCheckReport(catalogue: context.terminal.catalogue)
      for project in projects {
        let (file, bytes) = try XcodeProjectSource.bytes(project)
        let findings = await context.timed("check \(file)") { Self.findings(bytes, file) }
        report.add(findings.filter { !errorsOnly || $0.severity == .error }, file: file)
      }
      return report
    }

    private static func findings(_ bytes: [UInt8], _ file: String) -> [ProjectFinding] {
      let surroundings = ProjectSurroundings(file: file)
      guard XcodeProjectSource.isJSON(file) else {
        return ProjectCheck.findings(in: bytes, file: file, surroundings: surroundings)
      }
      do throws(GenerationError) {
        return try XCProjFile(bytes, file: file).findings(surroundings: surroundings)
      } catch {
        return [ProjectFinding(error, file: file)]
      }
    }
  }
}

/// The findings in projects.
struct ProjectCheckReport: Presentable {
  private let catalogue: Catalogue
  private var files: [(file: String, findings: [ProjectFinding])] = []

  init(catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  mutating func add(_ findings: [ProjectFinding], file: String) { files.append((file, findings)) }

  private var all: [ProjectFinding] { files.flatMap(\.findings) }

  /// Notes do not make a project a bad one.
  var exit: ExitStatus { all.contains { $0.severity != .note } ? .negative : .done }

  private func message(_ finding: ProjectFinding, _ catalogue: Catalogue) -> String {
    if let diagnostic = finding.diagnostic { return catalogue.sentence(diagnostic.id.name, diagnostic.values) }
    return catalogue.text("text.project-check-\(finding.rule.rawValue)", finding.values)
  }

  func encode(to encoder: any Encoder) throws {
    let findings = files.flatMap { file, findings in
      findings.map { finding -> JSONValue in
        var object: JSONValue.Object = [
          "rule": .string(finding.diagnostic?.id.name ?? finding.rule.rawValue),
          "severity": .string(finding.severity.rawValue), "message": .string(message(finding, catalogue)),
          "file": .string(file), "id": finding.id.isEmpty ? .null : .string(finding.id),
        ]
        if case .text(_, let line, let column) = finding.place {
          object["line"] = JSONValue(line)
          object["column"] = column.map { JSONValue($0) } ?? .null
        }
        return .object(object)
      }
    }
    try JSONValue.object([
      "files": .array(files.map { .string($0.file) }), "valid": .bool(exit == .done),
      "errors": JSONValue(count(.error)), "warnings": JSONValue(count(.warning)), "notes": JSONValue(count(.note)),
      "findings": .array(findings),
    ]).encode(to: encoder)
  }

  private func count(_ severity: ProjectFinding.Severity) -> Int { all.count { $0.severity == severity } }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for (file, findings) in files {
      for finding in findings {
        var line = StyledText("\(finding.place): ", .path)
        let word = catalogue.text("text.project-severity-\(finding.severity.rawValue)")
        line.append(word + ": ", finding.severity == .error ? .bad : finding.severity == .warning ? .warning : .faint)
        line.append(message(finding, catalogue))
        line.append(" [\(finding.diagnostic?.id.name ?? finding.rule.rawValue)]", .faint)
        document.line(line)
      }
      if findings.isEmpty {
        document.line(StyledText(catalogue.text("text.project-check-clean", ["file": file]), .good))
      }
    }
    if !all.isEmpty {
      let values = ["errors": "\(count(.error))", "warnings": "\(count(.warning))", "notes": "\(count(.note))"]
      document.line(StyledText(catalogue.text("text.project-check-summary", values)))
    }
    return document
  }
}
