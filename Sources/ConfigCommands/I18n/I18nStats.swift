import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal

extension I18nCommand {
  /// `mpaas i18n stats TABLE…`: how far each language is.
  struct Stats: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("stats", key: "i18n.stats") }

    @OptionGroup var tables: LanguageTableOptions

    @Option(help: .text("command.i18n.check.language", valueName: "language"))
    var language: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LanguageStatisticsView {
      let tables = try LanguageFiles(tables.tables).tables(development: tables.development)
      return LanguageStatisticsView(rows: LanguageStatistics(tables, languages: language).rows)
    }
  }
}

/// Counts of texts by table and language.
struct LanguageStatisticsView: Presentable {
  let rows: [LanguageStatistics.Row]

  func encode(to encoder: any Encoder) throws {
    let list = rows.map { row -> JSONValue in
      [
        "table": .string(row.table), "language": .string(row.language), "total": JSONValue(row.total),
        "translated": JSONValue(row.translated), "untranslated": JSONValue(row.untranslated),
        "review": JSONValue(row.review), "missing": JSONValue(row.missing), "stale": JSONValue(row.stale),
        "words": JSONValue(row.words), "percent": JSONValue(row.percent),
      ]
    }
    try JSONValue.object(["languages": .array(list)]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let names = ["total", "translated", "untranslated", "review", "missing", "stale", "words", "percent"]
    func heading(_ name: String) -> String { catalogue.text("text.i18n-column-\(name)") }
    let columns =
      ["table", "language"].map { Table.Column(heading($0)) }
      + names.map { Table.Column(heading($0), isNumeric: true, isOptional: $0 == "words") }
    let lines = rows.map { row -> [StyledText] in
      let counts = [row.total, row.translated, row.untranslated, row.review, row.missing, row.stale, row.words]
      return [StyledText(row.table, .faint), StyledText(row.language)] + counts.map { StyledText("\($0)", .number) }
        + [StyledText("\(row.percent) %", row.percent == 100 ? .good : .warning)]
    }
    var document = Document()
    document.table(Table(columns: columns, rows: lines))
    return document
  }
}
