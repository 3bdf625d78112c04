import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal

extension I18nCommand {
  /// `mpaas i18n pseudo TABLE…`: texts that look foreign and can still be read.
  struct Pseudo: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pseudo", key: "i18n.pseudo") }

    @Argument(
      help: .text("command.i18n.tables", valueName: "table"),
      completion: .file(extensions: ["strings", "stringsdict", "xcstrings"]))
    var tables: [String] = []

    @Option(help: .text("command.i18n.pseudo.text", valueName: "text"))
    var text: [String] = []

    @Option(help: .text("command.i18n.development", valueName: "language"))
    var development: String?

    @Option(help: .text("command.i18n.pseudo.language", valueName: "language"))
    var language: String?

    @Option(help: .text("command.i18n.pseudo.expansion", valueName: "percent"))
    var expansion = 35

    @Flag(name: .customLong("no-accents"), help: .text("command.i18n.pseudo.no-accents"))
    var hasNoAccents = false

    @Flag(name: .customLong("no-brackets"), help: .text("command.i18n.pseudo.no-brackets"))
    var hasNoBrackets = false

    @Flag(name: .customLong("rtl"), help: .text("command.i18n.pseudo.rtl"))
    var isRightToLeft = false

    @Flag(help: .text("command.i18n.force"))
    var force = false

    @Flag(name: .customLong("dry-run"), help: .text("command.i18n.dry-run"))
    var isDryRun = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard tables.isEmpty != text.isEmpty else {
        throw ValidationError(Catalogue.current.text("text.i18n-pseudo-what"))
      }
      guard (0...300).contains(expansion) else {
        throw ValidationError(Catalogue.current.text("text.i18n-pseudo-expansion"))
      }
    }

    func run(in context: Context) async throws -> PseudoTexts {
      var pseudo = PseudoLocalization()
      pseudo.expansion = expansion
      pseudo.hasAccents = !hasNoAccents
      pseudo.hasBrackets = !hasNoBrackets
      pseudo.direction = isRightToLeft ? .rightToLeft : .leftToRight
      guard text.isEmpty else { return PseudoTexts(texts: text.map { ($0, pseudo.text($0)) }, changes: nil) }
      let name = language ?? (isRightToLeft ? "ar-XB" : "en-XA")
      let run = PseudoRun(pseudo, language: name, development: development)
      let changes = try run.changes(try LanguageFiles(tables))
      for change in changes where !force && !name.contains("-X") && change.old != nil && change.isChanged {
        throw LanguageError(.exists, ["path": change.path], at: .file(change.path))
      }
      if !isDryRun { try changes.write() }
      return PseudoTexts(texts: [], changes: LanguageChangesView(changes, isDryRun: isDryRun))
    }
  }
}

/// The fate of texts or of tables.
struct PseudoTexts: Presentable {
  let texts: [(text: String, pseudo: String)]
  let changes: LanguageChangesView?

  func encode(to encoder: any Encoder) throws {
    if let changes { return try changes.encode(to: encoder) }
    let list = texts.map { JSONValue.object(["text": .string($0.text), "pseudo": .string($0.pseudo)]) }
    try JSONValue.object(["texts": .array(list)]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    changes?.document(catalogue) ?? Document(lines: texts.map { StyledText(verbatim: $0.pseudo) })
  }
}
