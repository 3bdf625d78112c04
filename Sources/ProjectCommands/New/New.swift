import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// `mpaas new KIND NAME`: a part of a project, placed, registered and with tests.
struct NewCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("new", key: "new") }

  @Argument(help: .text("command.new.kind"), completion: .pieceNames)
  var kind: String?

  @Argument(help: .text("command.new.name"))
  var name: String?

  @Flag(help: .text("command.new.list"))
  var list = false

  @Option(help: .text("command.new.project", valueName: "folder"), completion: .directory)
  var project: String?

  @Option(name: .customLong("in"), help: .text("command.new.in", valueName: "folder"), completion: .directory)
  var place: String?

  @Flag(name: .customLong("objc"), help: .text("command.new.objc"))
  var isObjectiveC = false

  @Flag(name: .customLong("dry-run"), help: .text("command.new.dry-run"))
  var isDryRun = false

  @Flag(help: .text("command.new.force"))
  var force = false

  @OptionGroup var source: TemplateSourceOptions
  @OptionGroup var settings: TemplateSettingOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !list, kind == nil || name == nil else { return }
    throw ValidationError(Catalogue.current.text("text.new-needs-both"))
  }

  func run(in context: Context) async throws -> NewResult {
    let kit = try? context.kit(source.kit)
    guard !list, let kind, let name else {
      let entries = try context.withShelf(source.from, kit: kit) { $0.entries(of: .piece) }
      return .list(TemplateTable(entries, language: context.catalogue.language.rawValue))
    }
    let template = try context.withShelf(source.from, kit: kit) { (shelf) throws(TemplateError) in
      try shelf.template(kind, kind: .piece)
    }
    let place = try self.place.map { try ProjectLayout.place($0) }
    guard let root = project ?? ProjectLayout.root(above: place ?? ".") ?? (place == nil ? nil : ".") else {
      throw TemplateError(.pieceNoProject)
    }
    let inside = try place.map { try ProjectLayout.path(of: $0, in: root) }
    let layout = try ProjectLayout(root: root, place: inside)
    let order = try PieceOrder(
      template, name: PieceName(name, suffix: template.manifest.piece.suffix), layout: layout, place: inside,
      isObjectiveC: isObjectiveC)
    let changes = try order.changes(try values(of: order, kit, context), replaces: force)
    if !isDryRun { try changes.apply() }
    return .made(MadePiece(order, changes, isDryRun: isDryRun))
  }

  private func values(of order: PieceOrder, _ kit: Kit?, _ context: Context) throws -> TemplateValues {
    let recorded = order.layout.record?.values ?? [:]
    func text(_ name: String) -> String { recorded[name]?.json.string ?? "" }
    var builtIn = BuiltInVariables(
      name: try ProjectName(order.name.base), year: context.year, kitVersion: KitVersion.current.version)
    builtIn.kit = kit
    builtIn.author = text("author").isEmpty ? context.author : text("author")
    builtIn.organization = text("organization")
    builtIn.appKey = text("app_key")
    builtIn.isObjectiveC = isObjectiveC
    builtIn.language = context.catalogue.language.rawValue
    var answers = TemplateAnswers()
    answers.settings = try settings.values()
    return try order.template.values(builtIn, answers, adding: try order.builtIn(builtIn)) { context.ask($0) }
  }
}
