import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist lint FILE…`: whether property lists can be read, and which keys hide others.
  struct Lint: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("lint", key: "plist.lint") }

    @Argument(help: .text("command.plist.files"), completion: .file())
    var files: [String]

    @Flag(help: .text("command.plist.lint.strict"))
    var strict = false

    @OptionGroup var reading: PlistReadOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LintedPlists {
      var report = LintedPlists(isStrict: strict)
      for path in files {
        do {
          let file = try reading.file(path, in: context)
          report.files.append(.init(file: file.file, format: file.format.rawValue))
          for duplicate in PropertyListDuplicate.all(in: file.root) {
            let values = ["file": file.file, "path": PropertyListPath.text(duplicate.steps)]
            let finding = Diagnostic("plist-duplicate", values, at: file.place(of: duplicate.member), exit: .negative)
            report.findings.append(.init(finding, "warning", file.file, context.catalogue))
          }
        } catch let error as ConfigError {
          report.files.append(.init(file: path, format: nil))
          report.findings.append(.init(error.diagnostic, "error", path, context.catalogue))
        } catch let error as FileError {
          report.files.append(.init(file: path, format: nil))
          report.findings.append(.init(error.diagnostic, "error", path, context.catalogue))
        }
      }
      return report
    }
  }
}

/// The faults of property lists.
struct LintedPlists: Presentable {
  struct File: Encodable, Sendable {
    let file: String
    /// nil where it cannot be read.
    let format: String?
  }

  struct Finding: Encodable, Sendable {
    let severity: String
    let code: String
    let file: String
    let line: Int?
    let column: Int?
    let offset: UInt64?
    let message: String
    let help: String?

    init(_ diagnostic: Diagnostic, _ severity: String, _ file: String, _ catalogue: Catalogue) {
      self.severity = severity
      self.file = file
      code = diagnostic.id.name
      message = catalogue.sentence(diagnostic.id.name, diagnostic.values)
      let key = "diagnostic.\(diagnostic.id).help"
      help = catalogue.optionalText(key) == nil ? nil : catalogue.text(key, diagnostic.values)
      switch diagnostic.place {
      case .text(_, let line, let column): (self.line, self.column, offset) = (line, column, nil)
      case .bytes(_, let offset): (line, column, self.offset) = (nil, nil, offset)
      default: (line, column, offset) = (nil, nil, nil)
      }
    }

    var place: String {
      if let offset { return "\(file): offset 0x\(String(offset, radix: 16))" }
      return ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
    }
  }

  let isStrict: Bool
  var files: [File] = []
  var findings: [Finding] = []

  private enum CodingKeys: String, CodingKey {
    case files, findings
  }

  var exit: ExitStatus {
    findings.contains { isStrict || $0.severity == "error" } ? .negative : .done
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for finding in findings {
      let isError = finding.severity == "error"
      let head = catalogue.text(isError ? "text.error" : "text.warning")
      let gap = catalogue.language == .english ? " " : ""
      document.line(
        StyledText(finding.place, .path) + ": " + StyledText(head, isError ? .bad : .warning) + StyledText(gap)
          + StyledText(finding.message))
      if let help = finding.help { document.line("  " + StyledText(help, .faint)) }
    }
    let failed = Set(findings.filter { $0.severity == "error" }.map(\.file)).count
    let values = ["good": "\(files.count - failed)", "count": "\(files.count)"]
    document.line(StyledText(catalogue.text("text.plist-linted", values), failed == 0 ? .good : .bad))
    return document
  }
}
