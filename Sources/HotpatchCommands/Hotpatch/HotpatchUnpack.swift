import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// `mpaas hotpatch unpack FILE --output DIR`: the files of a bundle that passed all checks.
struct HotpatchUnpackCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("unpack", key: "hotpatch.unpack") }

  @Argument(help: .text("command.hotpatch.bundle"), completion: .file(extensions: ["mpatch", "js"]))
  var file: String

  @Option(name: [.short, .long], help: .text("command.hotpatch.unpack.output"), completion: .directory)
  var output: String

  @OptionGroup var content: BundleContentOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> UnpackedBundle {
    let files = try content.files(of: file, in: context)
    try PayloadFolder.write(files, to: output)
    return UnpackedBundle(folder: output, files: files.map(\.listed))
  }
}

/// The files that were written.
struct UnpackedBundle: Presentable {
  let folder: String
  let files: [PatchManifest.File]

  func encode(to encoder: any Encoder) throws {
    let list = files.map { file -> JSONValue in
      ["path": .string(file.path), "size": JSONValue(file.size), "sha256": .string(file.sha256)]
    }
    try JSONValue.object(["folder": .string(folder), "files": .array(list)]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: files.map { StyledText("\(folder)/\($0.path)", .path) })
  }
}
