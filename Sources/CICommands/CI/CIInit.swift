import ArgumentParser
import CommandKit
import MPaaSPipelines
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import ProjectCommands

/// `mpaas ci init SYSTEM…`: writes pipelines, and brings later changes into them.
struct CIInitCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("init", key: "ci.init") }

  @Argument(help: .text("command.ci.init.systems", valueName: "system"))
  var systems: [PipelineSystem] = []

  @Option(help: .text("command.ci.init.project", valueName: "folder"), completion: .directory)
  var project = "."

  @Flag(name: .customLong("dry-run"), help: .text("command.ci.init.dry-run"))
  var isDryRun = false

  @Flag(help: .text("command.ci.init.force"))
  var force = false

  @OptionGroup var source: TemplateSourceOptions
  @OptionGroup var settings: TemplateSettingOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> WrittenPipelines {
    guard FileStatus(project)?.kind == .folder else { throw FileError(.open, project, .noSuchFileOrDirectory) }
    let update = try PipelineUpdate(in: project, temporary: context.directories.temporary)
    let systems = try update.systems(adding: systems)
    let from = source.from ?? update.record.flatMap { $0.source.isEmpty ? nil : $0.source }
    let template = try context.withShelf(from, kit: try? context.kit(source.kit)) { (shelf) throws(TemplateError) in
      try shelf.template(update.record?.template ?? PipelineUpdate.template, kind: .pipeline)
    }
    let values = try update.values(
      of: template, systems: systems, traits: ProjectTraits(folder: project), settings: try settings.values(),
      builtIn: try builtIn(context))
    let planned = try update.planned(to: template, values, source: from, replaces: force)
    if !isDryRun { try planned.apply() }
    return WrittenPipelines(systems, planned, isDryRun: isDryRun)
  }

  /// The variables of every template, by the name of the project that a template made, else of its folder.
  private func builtIn(_ context: Context) throws -> BuiltInVariables {
    let made = try ProjectRecord.read(project)?.values["name"]?.json.string
    let folder = FileSystem.name(of: FileSystem.resolved(project) ?? project)
    let name = try (try? ProjectName(made ?? folder)) ?? ProjectName("App")
    var builtIn = BuiltInVariables(name: name, year: context.year, kitVersion: KitVersion.current.version)
    builtIn.language = context.catalogue.language.rawValue
    return builtIn
  }
}

extension PipelineSystem: ExpressibleByArgument {}
