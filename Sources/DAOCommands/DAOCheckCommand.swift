import ArgumentParser
import CommandKit
import MPaaSDAO
import MPaaSSupport
import MPaaSTerminal

extension DAOCommand {
  /// `mpaas dao check FILE…`: what is wrong with documents, and statements that SQLite refuses.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "dao.check") }

    @Argument(help: .text("command.dao.check.files"), completion: .file(extensions: ["xml"]))
    var files: [String]

    @Option(help: .text("command.dao.check.history", valueName: "folder"), completion: .directory)
    var history: String?

    @Option(name: .customLong("global"), help: .text("command.dao.check.global", valueName: "name"))
    var globals: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> DAOFindingsView {
      let history = try history.map(Self.documents) ?? []
      let found = try files.map { file in
        (file, DAOCheck.findings(try DAOInput.bytes(file), globals: Set(globals), history: history))
      }
      return DAOFindingsView(found, context.catalogue)
    }

    /// The documents of a folder; what is none is passed over.
    private static func documents(_ folder: String) throws -> [DAODocument] {
      try FileSystem.names(in: folder).sorted().filter { $0.hasSuffix(".xml") }.compactMap { name in
        let path = "\(folder)/\(name)"
        return try? DAODocument(reading: DAOInput.bytes(path), file: path)
      }
    }
  }
}

/// The findings of a check, as compilers tell them: place, severity, sentence, identifier.
struct DAOFindingsView: Presentable {
  struct Finding: Encodable {
    let id: String
    let severity: String
    let file: String
    let line: Int
    let column: Int
    let message: String
    /// The statement that SQLite refuses.
    let sql: String?
  }

  let findings: [Finding]

  private enum CodingKeys: String, CodingKey { case findings }

  init(_ found: [(file: String, findings: [DAOFinding])], _ catalogue: Catalogue) {
    findings = found.flatMap { file, findings in
      findings.map { finding in
        Finding(
          id: finding.code.id, severity: finding.severity.rawValue, file: file, line: finding.position.line,
          column: finding.position.column,
          message: catalogue.sentence(finding.code.id, DAOReasons.values(finding.values, catalogue)),
          sql: finding.values["sql"])
      }
    }
  }

  var exit: ExitStatus { findings.contains { $0.severity == "error" } ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    guard !findings.isEmpty else { return [.line(StyledText(catalogue.text("text.dao-nothing"), .good))] }
    var document = Document()
    for finding in findings {
      var line = StyledText("\(finding.file):\(finding.line):\(finding.column)", .path) + ": "
      let isError = finding.severity == "error"
      line.append(catalogue.text("text.finding-\(finding.severity)"), isError ? .bad : .warning)
      document.line(line + StyledText(": " + finding.message) + StyledText(" [\(finding.id)]", .faint))
      if let sql = finding.sql { document.line("  " + StyledText(sql, .faint)) }
    }
    return document
  }
}
