import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal

extension I18nCommand {
  /// `mpaas i18n check TABLE…`: what is wrong or missing in an app's texts.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "i18n.check") }

    @OptionGroup var tables: LanguageTableOptions

    @Option(
      name: .customLong("sources"), parsing: .upToNextOption,
      help: .text("command.i18n.check.sources", valueName: "source"), completion: .file())
    var sourcePaths: [String] = []

    @Option(help: .text("command.i18n.check.language", valueName: "language"))
    var language: [String] = []

    @Option(help: .text("command.i18n.check.ignore", valueName: "kind"))
    var ignore: [LanguageFinding.Kind] = []

    @OptionGroup var sources: SourceTextOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CheckedLanguages {
      let tables = try LanguageFiles(tables.tables).tables(development: tables.development)
      var check = LanguageCheck(tables, sources: sourcePaths.isEmpty ? nil : try sources.texts(of: sourcePaths))
      check.languages = language
      check.ignored = Set(ignore)
      return CheckedLanguages(findings: check.findings, keys: tables.reduce(0) { $0 + $1.keys.count })
    }
  }
}

extension LanguageFinding.Kind: ExpressibleByArgument {}

/// The findings of a check.
struct CheckedLanguages: Presentable {
  let findings: [LanguageFinding]
  let keys: Int
  /// Keys that are known at run time only are told, and are no fault.
  private var faults: [LanguageFinding] { findings.filter { $0.kind != .dynamic } }
  var exit: ExitStatus { faults.isEmpty ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    let list = findings.map { finding -> JSONValue in
      var object: JSONValue.Object = [
        "kind": .string(finding.kind.rawValue), "key": .string(finding.key),
        "table": finding.table.map { .string($0) } ?? .null,
        "language": finding.language.map { .string($0) } ?? .null, "file": .null, "line": .null, "column": .null,
        "details": .object(finding.details.mapValues { .string($0) }),
      ]
      switch finding.place {
      case .text(let file, let line, let column)?:
        object["file"] = .string(file)
        object["line"] = JSONValue(line)
        if let column { object["column"] = JSONValue(column) }
      case .file(let file)?, .bytes(let file, _)?: object["file"] = .string(file)
      case nil: break
      }
      return .object(object)
    }
    let counts = Dictionary(grouping: findings, by: \.kind.rawValue).mapValues { JSONValue($0.count) }
    let document: JSONValue = [
      "ok": .bool(faults.isEmpty), "keys": JSONValue(keys), "findings": .array(list), "counts": .object(counts),
    ]
    try document.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for finding in findings {
      var values = finding.details.mapValues(\.onOneLine)
      values["key"] = finding.key.onOneLine
      values["table"] = finding.table ?? ""
      values["language"] = finding.language ?? ""
      if let form = finding.details["form"] { values["form"] = form }
      var line = StyledText(finding.place.map { "\($0): " } ?? "", .path)
      let isBad = [.specifiers, .missingKey, .duplicate, .variableMissing].contains(finding.kind)
      let role: TextRole = isBad ? .bad : .warning
      line += StyledText(catalogue.text("text.i18n-finding-\(finding.kind.rawValue)", values), role)
      document.line(line)
    }
    let count = faults.count
    let values = ["count": "\(count)", "keys": "\(keys)"]
    document.line(
      StyledText(
        catalogue.text(count == 0 ? "text.i18n-check-good" : "text.i18n-check-bad", values), count == 0 ? .good : .bad))
    return document
  }
}
