import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension TemplateCommand {
  /// `mpaas template list`: the templates that can be used.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "template.list") }

    @OptionGroup var source: TemplateSourceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TemplateTable {
      let kit = try? context.kit(source.kit)
      let entries = try context.withShelf(source.from, kit: kit) { $0.entries() }
      return TemplateTable(entries, language: context.catalogue.language.rawValue)
    }
  }
}

/// Templates in a table.
struct TemplateTable: Presentable {
  struct Row: Encodable {
    let name: String
    let kind: String
    let version: String
    let origin: String
    let description: String
    let path: String
  }

  let templates: [Row]

  init(_ entries: [TemplateShelf.Entry], language: String) {
    templates = entries.map {
      Row(
        name: $0.manifest.name, kind: $0.manifest.kind.rawValue, version: $0.manifest.version, origin: $0.origin,
        description: $0.manifest.summary.text(language), path: $0.folder)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !templates.isEmpty else { return [.line(StyledText(catalogue.text("text.template-none"), .faint))] }
    let columns = ["template", "template-kind", "template-version", "template-origin", "summary"]
    return [
      .table(
        Table(
          columns: columns.map { .init(catalogue.text("text.\($0)")) },
          rows: templates.map {
            [
              StyledText($0.name, .emphasis), StyledText(catalogue.text("text.template-kind-\($0.kind)")),
              StyledText($0.version), StyledText($0.origin, .faint), StyledText($0.description),
            ]
          }))
    ]
  }
}
