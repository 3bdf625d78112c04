import ArgumentParser
import CommandKit
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTransfer

/// `mpaas kitupdate`: brings an installed kit to the newest version of its channel, or a source checkout to its
/// upstream.
struct KitUpdateCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("kitupdate", key: "kitupdate") }

  @Flag(name: .customLong("check"), help: .text("command.kitupdate.check"))
  var isCheck = false

  @Flag(name: .customLong("rollback"), help: .text("command.kitupdate.rollback"))
  var isRollback = false

  @Option(
    name: .customLong("channel"), help: .text("command.kitupdate.channel", valueName: "name"),
    completion: .list(["stable", "beta"]))
  var channel: String?

  @Option(name: .customLong("url"), help: .text("command.kitupdate.url", valueName: "url"))
  var urls: [String] = []

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard isRollback, isCheck || channel != nil || !urls.isEmpty else { return }
    throw ValidationError(Catalogue.current.text("text.kitupdate-rollback-alone"))
  }

  func run(in context: Context) async throws -> KitUpdate {
    let executable = Executable.current()
    switch KitOrigin(of: executable, with: .live) {
    case .folder(let folder): return KitUpdate(try outcome(of: updater(folder, context)), path: folder.path)
    case .package(let manager, let command):
      throw KitUpdateError(.packaged, ["manager": manager, "command": command, "path": executable])
    case .build: return try await build(executable, context)
    case .loose: return KitUpdate(kind: .installed, path: executable)
    }
  }

  private func outcome(of updater: KitUpdater) throws(KitUpdateError) -> KitUpdateOutcome {
    if isRollback { return try updater.rollback() }
    return isCheck ? try updater.check() : try updater.update()
  }

  private func updater(_ folder: KitFolder, _ context: Context) -> KitUpdater {
    let http = HTTPClient.live(userAgent: "mpaas/\(KitVersion.current.version)")
    var updater = KitUpdater(folder, KitUpdater.Effects(http: http, now: context.now))
    updater.channel = channel
    updater.urls = urls
    if urls.isEmpty, let url = context.environment.variable("MPAAS_KIT_URL") { updater.urls = [url] }
    let progress = KitUpdateProgress(context)
    updater.note = progress.show
    return updater
  }

  /// A checkout is pulled and built; what was built elsewhere, or asked for a channel, is not touched.
  private func build(_ executable: String, _ context: Context) async throws -> KitUpdate {
    let isPlain = !isCheck && !isRollback && channel == nil && urls.isEmpty
    guard isPlain, let checkout = SourceCheckout(containing: executable) else {
      throw KitUpdateError(.buildFolder, ["path": executable])
    }
    return try await checkout.update(context, with: .live)
  }
}
