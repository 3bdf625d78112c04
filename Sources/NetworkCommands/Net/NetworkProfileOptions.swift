import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import NetworkServingKit

/// The sources of profiles: the built-in ones, the user's, and files.
struct NetworkProfileOptions: ParsableArguments {
  @Option(help: .text("command.net.profiles.file", valueName: "file"), completion: .file(extensions: ["toml"]))
  var file: [String] = []

  func catalogue(in context: Context) throws -> ProfileCatalogue {
    try ProfileCatalogue.loading(in: context, files: file)
  }
}
