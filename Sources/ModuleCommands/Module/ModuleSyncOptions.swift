import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

/// The ways in which a project is brought into step.
struct ModuleSyncOptions: ParsableArguments {
  @Flag(name: .customLong("dry-run"), help: .text("command.module.dry-run"))
  var dryRun = false

  @Flag(help: .text("command.module.force"))
  var force = false

  @Flag(name: .customLong("no-xcode"), help: .text("command.module.no-xcode"))
  var noXcode = false

  @Option(
    name: .long, help: .text("command.module.xcode", valueName: "project"), completion: .file(extensions: ["xcodeproj"])
  )
  var xcode: String?

  @OptionGroup var catalog: CatalogOptions

  func options(in context: Context) -> SyncOptions {
    var options = SyncOptions()
    options.offline = catalog.isOffline(in: context)
    options.refresh = catalog.refresh
    options.dryRun = dryRun
    options.force = force
    return options
  }

  /// Brings the project into step.
  ///
  /// - Parameter manifest: The text that `mpaas.toml` gets if all goes well.
  func run(
    _ folder: String, _ options: SyncOptions, editing manifest: String? = nil, in context: Context
  ) async throws -> SyncedProject {
    // A project that cannot be read is told before anything is changed.
    let wiring = noXcode ? nil : try XcodeWiring(in: folder, editing: manifest, choosing: xcode, context)
    let progress = SyncProgress(context.terminal)
    defer { progress.finish() }
    let sync = ModuleSync(
      folder: folder, directories: context.directories, registry: catalog.chosen(in: context),
      userAgent: Context.userAgent, now: context.now, events: progress.take)
    let outcome = try await context.timed("sync") { try await sync.run(options, editing: manifest) }
    for warning in outcome.warnings { context.terminal.warning(warning) }
    return SyncedProject(outcome, xcode: try wiring?.run(outcome, in: context))
  }
}
