import ArgumentParser
import CommandKit
import MPaaSDeclarations
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension DAOCommand {
  /// `mpaas dao generate FILE…`: the DAO XML of classes.
  struct Generate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("generate", key: "dao.generate") }

    @Argument(
      help: .text("command.dao.generate.files"), completion: .file(extensions: ["swift", "h", "m", "mm"]))
    var files: [String]

    @Option(name: .customLong("class"), help: .text("command.dao.generate.class", valueName: "name"))
    var classes: [String] = []

    @Option(help: .text("command.dao.generate.table", valueName: "name"))
    var table: String?

    @Option(name: .shortAndLong, help: .text("command.dao.generate.output", valueName: "path"), completion: .file())
    var output: String?

    @Flag(help: .text("command.dao.generate.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> GeneratedDAO {
      let sources = try files.map { try Self.source($0) }
      let documents = try DAOTables(sources, classes: classes, table: table).tables.map(DAODocument.init)
      let paths = try DAOFiles(to: output, replacesEdited: force).write(documents)
      let modules = zip(documents, paths).map { GeneratedDAO.Module($0, path: $1) }
      if !common.json { note(modules, in: context) }
      return GeneratedDAO(modules: modules)
    }

    /// The types of a file, or of what comes on standard input, whose language shows in its content.
    private static func source(_ path: String) throws -> (file: String, types: [TypeDeclaration]) {
      guard path != "-" else {
        let bytes = try Bytes.reading("/dev/stdin", limit: 1 << 28).array
        let isObjectiveC = bytes.contains("@interface".utf8)
        return ("stdin", DeclarationScanner.scan(bytes, file: "stdin", language: isObjectiveC ? .objectiveC : .swift))
      }
      let bytes = try Bytes.reading(path, limit: 1 << 28).array
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return (name, DeclarationScanner.scan(bytes, file: path))
    }

    private func note(_ modules: [GeneratedDAO.Module], in context: Context) {
      for module in modules {
        for omitted in module.omitted {
          let reason = context.catalogue.text("text.dao-omitted-\(omitted.reason.rawValue.replacing("_", with: "-"))")
          let values = ["class": module.className, "property": omitted.property, "reason": reason]
          context.terminal.note(StyledText(context.catalogue.text("text.dao-omitted", values), .faint))
        }
      }
    }
  }
}

/// The modules that were made.
struct GeneratedDAO: Presentable {
  struct Module: Encodable, Sendable {
    struct Column: Encodable {
      let name: String
      let property: String
      let type: String
      let storage: DAOStorage
      let optional: Bool
      let archived: Bool
    }

    let className: String
    let file: String
    let table: String
    let key: String
    let columns: [Column]
    let omitted: [DAOTable.Omitted]
    let path: String?
    let xml: String

    private enum CodingKeys: String, CodingKey {
      case className = "class"
      case file, table, key, columns, omitted, path, xml
    }

    init(_ document: DAODocument, path: String?) {
      let table = document.table
      className = table.className
      file = table.file
      self.table = table.name
      key = table.keyName
      columns = table.columns.map { column in
        Column(
          name: column.name, property: column.property, type: column.type, storage: column.storage,
          optional: column.isOptional, archived: column.isArchived)
      }
      omitted = table.omitted
      self.path = path
      xml = document.xml
    }
  }

  let modules: [Module]

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for module in modules {
      if let path = module.path {
        let values = [
          "path": path, "class": module.className, "columns": "\(module.columns.count)", "table": module.table,
        ]
        document.line(StyledText(catalogue.text("text.dao-written", values)))
      } else {
        for line in module.xml.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
          document.line(StyledText(verbatim: String(line)))
        }
      }
    }
    return document
  }
}
