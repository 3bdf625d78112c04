import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal

extension I18nCommand {
  /// `mpaas i18n extract FILE…`: the texts that sources ask for.
  struct Extract: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("extract", key: "i18n.extract") }

    @Argument(
      help: .text("command.i18n.extract.files", valueName: "file"),
      completion: .file(extensions: ["swift", "m", "mm", "h", "c", "cpp"]))
    var files: [String]

    @OptionGroup var sources: SourceTextOptions

    @Option(
      name: .shortAndLong, help: .text("command.i18n.extract.output", valueName: "path"), completion: .file())
    var output: String?

    @Option(help: .text("command.i18n.extract.format", valueName: "format"))
    var format = TableFormat.strings

    @Option(help: .text("command.i18n.extract.language", valueName: "language"))
    var language = "en"

    @Flag(name: .customLong("dry-run"), help: .text("command.i18n.dry-run"))
    var isDryRun = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExtractedTexts {
      let texts = try sources.texts(of: files)
      var view: LanguageChangesView?
      if let output {
        let changed = try changes(texts, output)
        if !isDryRun { try changed.write() }
        view = LanguageChangesView(changed, isDryRun: isDryRun)
      }
      let result = ExtractedTexts(texts: texts, changes: view)
      for line in result.warnings(context.catalogue) where !common.json { context.terminal.note(line) }
      return result
    }

    private func changes(_ texts: SourceTexts, _ output: String) throws -> [LanguageFileChange] {
      let merge = LanguageMerge()
      if output.hasSuffix(".strings") || output.hasSuffix(".xcstrings") {
        return [try merge.merge(texts, intoFile: output, language: language)]
      }
      let folder = output.count > 1 && output.hasSuffix("/") ? String(output.dropLast()) : output
      return try Set(texts.texts.map(\.table)).sorted().map { table in
        try merge.merge(texts, intoFile: "\(folder)/\(table).\(format.rawValue)", language: language)
      }
    }
  }

  /// The formats that a table is written in.
  enum TableFormat: String, ExpressibleByArgument, CaseIterable { case strings, xcstrings }
}

/// The texts found in sources, and their fate.
struct ExtractedTexts: Presentable {
  let texts: SourceTexts
  let changes: LanguageChangesView?

  func encode(to encoder: any Encoder) throws {
    func text(_ string: String?) -> JSONValue { string.map { .string($0) } ?? .null }
    let entries = texts.texts.map { found -> JSONValue in
      [
        "key": .string(found.key), "value": text(found.value), "comment": text(found.comment),
        "table": .string(found.table), "file": .string(found.file), "line": JSONValue(found.line),
        "guessed": .bool(found.isGuessed),
      ]
    }
    let dynamic = texts.dynamic.map { found -> JSONValue in
      [
        "function": .string(found.function), "argument": .string(found.argument),
        "part": .string(found.part.rawValue), "file": .string(found.file), "line": JSONValue(found.line),
      ]
    }
    let wrappers = texts.wrappers.map { found -> JSONValue in
      ["name": .string(found.name), "file": .string(found.file), "line": JSONValue(found.line)]
    }
    var document: JSONValue.Object = [
      "dynamic": .array(dynamic), "entries": .array(entries), "wrappers": .array(wrappers),
    ]
    if let changes { document["output"] = changes.json }
    try JSONValue.object(document).encode(to: encoder)
  }

  /// Keys that are known at run time only, wrappers, and sources that do not agree.
  func warnings(_ catalogue: Catalogue) -> [StyledText] {
    var lines: [StyledText] = []
    func add(_ place: String, _ key: String, _ values: [String: String], _ role: TextRole) {
      lines.append(StyledText(place + ": ", .path) + StyledText(catalogue.text(key, values), role))
    }
    for found in texts.dynamic {
      let values = ["function": found.function, "argument": found.argument]
      add("\(found.file):\(found.line)", "text.i18n-dynamic-\(found.part.rawValue)", values, .warning)
    }
    for found in texts.wrappers {
      add("\(found.file):\(found.line)", "text.i18n-wrapper", ["name": found.name], .faint)
    }
    for finding in LanguageCheck([], sources: texts).findings where [.comments, .values].contains(finding.kind) {
      let values = finding.details.merging(["key": finding.key]) { $1 }
      add(finding.place?.description ?? "", "text.i18n-finding-\(finding.kind.rawValue)", values, .warning)
    }
    return lines
  }

  func document(_ catalogue: Catalogue) -> Document {
    if let changes { return changes.document(catalogue) }
    let columns = ["key", "table", "comment", "place"].map { name in
      Table.Column(catalogue.text("text.i18n-column-\(name)"), isOptional: name == "comment")
    }
    var document = Document()
    let rows = texts.texts.map { found -> [StyledText] in
      [
        StyledText(found.key.onOneLine), StyledText(found.table, .faint),
        StyledText((found.comment ?? "").onOneLine, .faint), StyledText("\(found.file):\(found.line)", .path),
      ]
    }
    document.table(Table(columns: columns, rows: rows))
    return document
  }
}

extension String {
  /// The text with line ends and tabs told by their escapes, for tables and sentences.
  var onOneLine: String {
    [("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")].reduce(self) { $0.replacing($1.0, with: $1.1) }
  }
}
