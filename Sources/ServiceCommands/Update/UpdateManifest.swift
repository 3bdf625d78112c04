import ArgumentParser
import CommandKit
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTerminal

extension UpdateCommand {
  /// `mpaas update manifest`: the manifest by which iOS installs an app from the web.
  struct Manifest: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("manifest", key: "update.manifest") }

    @Option(name: .customLong("package"), help: .text("command.update.manifest.package", valueName: "url"))
    var packageURL: String

    @Option(help: .text("command.update.manifest.bundle-id", valueName: "id"))
    var bundleId: String

    @Option(help: .text("command.update.manifest.bundle-version", valueName: "version"))
    var bundleVersion: String

    @Option(help: .text("command.update.manifest.title", valueName: "text"))
    var title: String

    @Option(help: .text("command.update.manifest.display-image", valueName: "url"))
    var displayImage: String?

    @Option(help: .text("command.update.manifest.full-size-image", valueName: "url"))
    var fullSizeImage: String?

    @Option(help: .text("command.update.manifest.address", valueName: "url"))
    var address: String?

    @Option(
      name: [.short, .long], help: .text("command.update.manifest.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let manifest = try InstallManifest(
        packageURL: packageURL, bundleIdentifier: bundleId, bundleVersion: bundleVersion, title: title,
        displayImage: displayImage, fullSizeImage: fullSizeImage)
      guard let output, output != "-" else {
        results.put(text: manifest.plist)
        return .done
      }
      try Bytes(Array(manifest.plist.utf8)).write(to: output)
      try results.put(WrittenManifest(file: output, link: address.map { InstallManifest.link(to: $0) }))
      return .done
    }
  }
}

/// A manifest that was written, and the link that leads to it.
struct WrittenManifest: Presentable {
  let file: String
  let link: String?

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = [.line(StyledText(catalogue.text("text.update-written", ["path": file])))]
    if let link { document.line(StyledText(link, .path)) }
    return document
  }
}
