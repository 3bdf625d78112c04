import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension I18nCommand {
  /// `mpaas i18n convert TABLE… --to FORMAT`: tables in another format.
  struct Convert: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "i18n.convert") }

    @OptionGroup var tables: LanguageTableOptions

    @Option(help: .text("command.i18n.convert.to", valueName: "format"))
    var to: TableConversion.Format

    @Option(name: .shortAndLong, help: .text("command.i18n.convert.output", valueName: "path"), completion: .file())
    var output: String?

    @Option(help: .text("command.i18n.convert.language", valueName: "language"))
    var language: [String] = []

    @Flag(help: .text("command.i18n.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard to != .strings || ResultPlace(output).file != nil else {
        throw ValidationError(Catalogue.current.text("text.i18n-convert-output"))
      }
    }

    func run(in context: Context) async throws -> ConvertedTables {
      let source = language.count == 1 && tables.development == nil ? language.first : nil
      let tables = try LanguageFiles(tables.tables).tables(development: tables.development, language: source)
      let conversion = TableConversion(to: to, languages: language)
      let files = try tables.flatMap { try conversion.files(of: $0) }
      guard let output = ResultPlace(output).file else { return ConvertedTables(files: files, paths: nil) }
      return ConvertedTables(files: files, paths: try conversion.write(files, to: output, replaces: force))
    }
  }
}

extension TableConversion.Format: ExpressibleByArgument {}

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
