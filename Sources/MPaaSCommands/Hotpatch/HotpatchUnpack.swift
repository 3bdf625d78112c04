import ArgumentParser
import MPaaSHotpatch
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

  @OptionGroup var trust: BundleTrustOptions
  @OptionGroup var identity: BundleIdentityOptions
  @OptionGroup var legacy: LegacyReadOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> UnpackedBundle {
    let files = try context.namingRefusals { try verifiedFiles(in: context) }
    try PayloadFolder.write(files, to: output)
    return UnpackedBundle(folder: output, files: files.map(\.listed))
  }

  private func verifiedFiles(in context: Context) throws -> [PayloadFile] {
    let bytes = try context.bundle(at: file)
    if try legacy.applies(to: bytes, in: context) {
      guard let script = try legacy.open(bytes, by: trust, in: context).script else {
        throw Diagnostic("bundle-identity-missing", ["option": "--aes-key"], exit: .usage)
      }
      return [PayloadFile(path: "main.lua", contents: Bytes(script))]
    }
    var verifier = try trust.verifier(try identity.identities(in: context), in: context)
    // Nothing is installed: what was signed once can be looked at for ever.
    verifier.checksTerm = false
    guard !verifier.identities.isEmpty else {
      throw Diagnostic("bundle-identity-missing", ["option": "--identity"], exit: .usage)
    }
    return try verifier.verify(bytes).files ?? []
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
