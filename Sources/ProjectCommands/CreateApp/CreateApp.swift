import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// `mpaas createapp NAME`: a project made of a template.
struct CreateAppCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("createapp", key: "createapp") }

  @Argument(help: .text("command.createapp.name"))
  var name: String

  @Option(name: .shortAndLong, help: .text("command.createapp.template", valueName: "name"), completion: .templateNames)
  var template: String?

  @Option(help: .text("command.createapp.bundle-id", valueName: "id"))
  var bundleID: String?

  @Option(help: .text("command.createapp.app-key", valueName: "key"))
  var appKey: String?

  @Option(help: .text("command.createapp.organization", valueName: "name"))
  var organization: String?

  @Option(name: .shortAndLong, help: .text("command.createapp.output", valueName: "folder"), completion: .directory)
  var output = "."

  @Option(
    name: .customLong("hotpatch-key"), help: .text("command.createapp.hotpatch-key", valueName: "name|file"),
    completion: .keyNames)
  var hotpatchKeys: [String] = []

  @Option(help: .text("command.createapp.format", valueName: "version"), completion: .list(["77", "26.3", "xcproj"]))
  var format: String?

  @Flag(name: .customLong("objc"), help: .text("command.createapp.objc"))
  var isObjectiveC = false

  @Flag(help: .text("command.createapp.force"))
  var force = false

  @Flag(name: .customLong("dry-run"), help: .text("command.createapp.dry-run"))
  var isDryRun = false

  @OptionGroup var source: TemplateSourceOptions
  @OptionGroup var settings: TemplateSettingOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> CreatedProject {
    let projectName = try ProjectName(name)
    let folder = output == "." ? name : output + "/" + name
    let creation = ProjectCreation(in: folder, replaces: force, isDryRun: isDryRun)
    try creation.checkFolder()
    let kit = try context.kit(source.kit)
    let template = try context.withShelf(source.from, kit: kit) { (shelf) throws(TemplateError) in
      let only = source.from == nil ? nil : shelf.onlyTemplate(kind: .project)
      return try shelf.template(self.template ?? only ?? "tabs", kind: .project)
    }
    let values = try values(of: template, projectName, kit, context)
    let tree = try creation.create(by: template, values, source: source.from)
    return CreatedProject(folder: folder, template.manifest, values, tree, isDryRun: isDryRun)
  }

  private func values(
    of template: Template, _ name: ProjectName, _ kit: Kit, _ context: Context
  ) throws -> TemplateValues {
    var builtIn = BuiltInVariables(
      name: name, year: context.year, kitVersion: KitVersion.current.version)
    builtIn.kit = kit
    builtIn.author = context.author
    builtIn.isObjectiveC = isObjectiveC
    builtIn.language = context.catalogue.language.rawValue
    builtIn.hotpatchKeys = try hotpatchKeys.map { try context.hotpatchKey($0) }
    for (variable, value, option) in [
      ("app_key", appKey, "--app-key"), ("organization", organization, "--organization"),
    ] {
      guard let value, let changed = try builtIn.setting(variable, to: value, option: option) else { continue }
      builtIn = changed
    }
    var answers = TemplateAnswers()
    answers.settings = try settings.values()
    for (option, value) in [
      ("bundle-id", bundleID), ("app-key", appKey), ("organization", organization), ("format", format),
    ] {
      answers.options[option] = value
    }
    return try template.values(builtIn, answers) { context.ask($0) }
  }
}
