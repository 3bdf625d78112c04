import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension TemplateCommand {
  /// `mpaas template show NAME`: what a template asks for and makes.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "template.show") }

    @Argument(help: .text("command.template.show.name"), completion: .allTemplateNames)
    var name: String

    @OptionGroup var source: TemplateSourceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TemplateDetails {
      let kit = try? context.kit(source.kit)
      let template = try context.withShelf(source.from, kit: kit) { (shelf) throws(TemplateError) in
        let kind = shelf.entries().first { $0.manifest.name == name && $0.manifest.kind != .project }?.manifest.kind
        return try shelf.template(name, kind: kind ?? .project)
      }
      return TemplateDetails(template, language: context.catalogue.language.rawValue)
    }
  }
}

/// One template with its variables and files.
struct TemplateDetails: Presentable {
  struct Variable: Encodable {
    let name: String
    let type: String
    let initial: JSONValue?
    let choices: [String]
    let pattern: String
    let option: String
    let prompt: String?

    private enum CodingKeys: String, CodingKey {
      case name, type, choices, pattern, option, prompt
      case initial = "default"
    }
  }

  let name: String
  let kind: String
  let version: String
  let origin: String
  let extends: String?
  let description: String
  let variables: [Variable]
  let files: [String]

  init(_ template: Template, language: String) {
    let manifest = template.manifest
    name = manifest.name
    kind = manifest.kind.rawValue
    version = manifest.version
    origin = template.origin
    extends = manifest.base
    description = manifest.summary.text(language)
    variables = template.variables.map {
      Variable(
        name: $0.name, type: $0.kind.rawValue, initial: $0.initial?.json, choices: $0.choices,
        pattern: $0.pattern.text, option: $0.optionText, prompt: $0.prompt?.text(language))
    }
    files = template.files.keys.sorted()
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let kindText = catalogue.text("text.template-kind-\(kind)")
    document.line(StyledText(name, .emphasis) + " \(version)" + StyledText("  \(kindText), \(origin)", .faint))
    if !description.isEmpty { document.line("  " + StyledText(description)) }
    if let extends { document.line("  " + StyledText(catalogue.text("text.template-extends", ["name": extends]))) }
    if !variables.isEmpty {
      document.line()
      document.table(
        Table(
          columns: ["template-variable", "template-default", "template-option", "template-prompt"].map {
            .init(catalogue.text("text.\($0)"))
          },
          rows: variables.map {
            [
              StyledText($0.name, .emphasis), StyledText(($0.initial.map { $0.string ?? $0.line }) ?? "–"),
              StyledText($0.option), StyledText($0.prompt ?? ""),
            ]
          }))
    }
    document.line()
    for file in files { document.line("  " + StyledText(file, .path)) }
    return document
  }
}
