import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal

extension I18nCommand {
  /// `mpaas i18n convert TABLE… --to FORMAT`: tables in another format.
  struct Convert: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "i18n.convert") }

    @OptionGroup var tables: LanguageTableOptions

    @Option(help: .text("command.i18n.convert.to", valueName: "format"))
    var to: Format

    @Option(name: .shortAndLong, help: .text("command.i18n.convert.output", valueName: "path"), completion: .file())
    var output: String?

    @Option(help: .text("command.i18n.convert.language", valueName: "language"))
    var language: [String] = []

    @Flag(help: .text("command.i18n.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    enum Format: String, ExpressibleByArgument, CaseIterable { case strings, xcstrings, csv, xliff }

    func validate() throws {
      guard to != .strings || output.outputFile != nil else {
        throw ValidationError(Catalogue.current.text("text.i18n-convert-output"))
      }
    }

    func run(in context: Context) async throws -> ConvertedTables {
      let source = language.count == 1 && tables.development == nil ? language.first : nil
      let tables = try LanguageFiles(tables.tables).tables(development: tables.development, language: source)
      var files: [ConvertedFile] = []
      for table in tables { files += try converted(table) }
      guard let output = output.outputFile else { return ConvertedTables(files: files, paths: nil) }
      let paths = files.map { path($0, output, isAlone: files.count == 1) }
      for (path, file) in zip(paths, files) where !force {
        guard FileStatus(path) != nil, try Bytes.mapping(path).array != file.bytes else { continue }
        throw LanguageError(.exists, ["path": path], at: .file(path))
      }
      for (path, file) in zip(paths, files) {
        try Directories.create(FileSystem.folder(of: path))
        try Bytes(file.bytes).write(to: path)
      }
      return ConvertedTables(files: files, paths: paths)
    }

    private func converted(_ table: TextTable) throws -> [ConvertedFile] {
      let languages = language.isEmpty ? table.languages : language
      switch to {
      case .strings: return try table.stringsFiles(languages)
      case .xcstrings: return [ConvertedFile(path: table.name + ".xcstrings", bytes: table.catalogBytes(languages))]
      case .csv: return [ConvertedFile(path: table.name + ".csv", bytes: Array(table.csv.utf8))]
      case .xliff: return [ConvertedFile(path: table.name + ".xliff", bytes: Array(table.xliff(languages).utf8))]
      }
    }

    private func path(_ file: ConvertedFile, _ output: String, isAlone: Bool) -> String {
      let isFile = isAlone && output.hasSuffix("." + to.rawValue)
      return isFile ? output : (output.hasSuffix("/") ? String(output.dropLast()) : output) + "/" + file.path
    }
  }
}

/// Tables in another format: where they were written, or what they say.
struct ConvertedTables: Presentable {
  let files: [ConvertedFile]
  let paths: [String]?

  func encode(to encoder: any Encoder) throws {
    let list = files.enumerated().map { index, file -> JSONValue in
      guard let paths else {
        return ["path": .string(file.path), "text": .string(String(decoding: file.bytes, as: UTF8.self))]
      }
      return ["path": .string(paths[index])]
    }
    try JSONValue.object(["files": .array(list)]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if let paths {
      for path in paths {
        document.line(StyledText(catalogue.text("text.i18n-written") + " ", .good) + StyledText(path, .path))
      }
      return document
    }
    for file in files {
      var lines = String(decoding: file.bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
      if lines.last?.isEmpty == true { lines.removeLast() }
      for line in lines { document.line(StyledText(verbatim: String(line))) }
    }
    return document
  }
}
