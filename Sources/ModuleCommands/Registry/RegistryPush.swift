import ArgumentParser
import CommandKit
import MPaaSObjectStore
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrustTools

extension RegistryCommand {
  /// `mpaas registry push DESTINATION`: brings a bucket or a folder to the newest state.
  struct Push: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("push", key: "registry.push") }

    @Argument(help: .text("command.registry.push.destination"))
    var destination: String

    @Option(help: .text("command.registry.push.endpoint", valueName: "url"))
    var endpoint: String?

    @Option(help: .text("command.registry.push.region", valueName: "region"))
    var region: String?

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushedRegistry {
      let copy = try copy(context)
      var push = RepositoryPush(RepositoryFolder(repository.repository), to: copy)
      let terminal = context.terminal
      try push.run(checkingAt: context.now()) { file in
        terminal.detail(StyledText("\(file.name) \(ByteCount(UInt64(file.size)))", .faint))
      }
      return PushedRegistry(sent: push.sent, unchanged: push.unchanged, destination: destination)
    }

    private func copy(_ context: Context) throws -> RepositoryCopy {
      if !destination.hasPrefix("s3://") {
        guard destination.hasPrefix("file://") || !destination.contains("://") else {
          throw Diagnostic("registry-bad-destination", ["destination": destination], exit: .usage)
        }
        return .folder(destination.hasPrefix("file://") ? String(destination.dropFirst(7)) : destination)
      }
      let variables = S3Variables(context.environment)
      guard let signature = variables.signature else {
        throw Diagnostic("registry-no-credentials", ["destination": destination], exit: .badConfiguration)
      }
      let (endpoint, region) = (endpoint ?? variables.endpoint, region ?? variables.region)
      guard let address = S3Address(destination), endpoint.map({ S3Address.endpoint($0) != nil }) ?? true else {
        throw Diagnostic("registry-bad-destination", ["destination": endpoint ?? destination], exit: .usage)
      }
      let place = S3Place(address, endpoint: endpoint.flatMap(S3Address.endpoint), region: region)
      let store = S3Store(place, signature, userAgent: "mpaas/\(KitVersion.current.version)")
      return .bucket(store, address.shown)
    }
  }
}

/// The files that were sent.
struct PushedRegistry: Presentable {
  let sent: [RepositoryPush.Sent]
  let unchanged: Int
  let destination: String

  func document(_ catalogue: Catalogue) -> Document {
    let size = ByteCount(UInt64(sent.reduce(0) { $0 + $1.size })).description
    return [
      .line(
        StyledText(
          catalogue.text(
            "text.registry-pushed",
            ["count": String(sent.count), "size": size, "unchanged": String(unchanged), "destination": destination])))
    ]
  }
}
