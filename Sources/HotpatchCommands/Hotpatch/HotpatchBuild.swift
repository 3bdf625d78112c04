import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

/// `mpaas hotpatch build SOURCE…`: Lua files and resources → a signed and encrypted bundle.
struct HotpatchBuildCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("build", key: "hotpatch.build") }

  @Argument(help: .text("command.hotpatch.build.sources"), completion: .file())
  var sources: [String]

  @OptionGroup var terms: BundleTermsOptions

  @Option(
    name: .customLong("key"), parsing: .upToNextOption, help: .text("command.hotpatch.build.key", valueName: "key"),
    completion: .keyNames)
  var keys: [String] = []

  @Option(
    name: .customLong("recipient"), parsing: .upToNextOption,
    help: .text("command.hotpatch.build.recipient", valueName: "age1…"), completion: .keysAndFiles)
  var recipients: [String] = []

  @Option(help: .text("command.hotpatch.build.symbols", valueName: "list"), completion: .file(extensions: ["json"]))
  var symbols: String?

  @Flag(name: .customLong("legacy-v1"), help: .text("command.hotpatch.build.legacy-v1"))
  var legacy = false

  @Option(name: .customLong("aes-key"), help: .text("command.hotpatch.aes-key", valueName: "hex"))
  var aesKey: String?

  @Option(
    name: .customLong("rsa-key"), help: .text("command.hotpatch.build.rsa-key", valueName: "file"), completion: .file())
  var rsaKey: String?

  @Option(name: [.short, .long], help: .text("command.hotpatch.build.output"), completion: .file())
  var output: String

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if legacy {
      guard aesKey != nil, rsaKey != nil else {
        throw ValidationError(Catalogue.current.text("text.bundle-legacy-usage"))
      }
    } else {
      guard terms.app != nil, terms.version != nil, !keys.isEmpty, !recipients.isEmpty, aesKey == nil, rsaKey == nil
      else {
        throw ValidationError(Catalogue.current.text("text.bundle-build-usage"))
      }
    }
  }

  func run(in context: Context) async throws -> BuiltBundle {
    let patch = try PatchFiles(reading: sources, symbols: symbols)
    if legacy {
      return BuiltBundle(
        try patch.writeScript(
          to: output, aesKey: aesKey ?? "", rsaKey: rsaKey ?? "", warn: { context.terminal.warning($0) }))
    }
    _ = try patch.entry
    var builder = BundleBuilder(
      manifest: try terms.manifest(patching: patch.symbols, in: context), files: patch.files,
      recipients: try recipients.map { try context.keys.recipient($0) }, keys: [])
    let role = KeyRole.patches(app: builder.manifest.app, channel: builder.manifest.channel)
    builder.keys = try context.keys.signingKeys(keys, for: role, passphrases: passphrase.source(in: context))
    if !builder.isReproducible {
      context.terminal.note(StyledText(context.catalogue.text("text.bundle-not-reproducible")))
    }
    return BuiltBundle(try builder.write(to: output))
  }
}

/// The bundle that was built.
struct BuiltBundle: Presentable {
  private let patch: BuiltPatch
  private let keys: [BundleKeyView]

  init(_ patch: BuiltPatch) {
    self.patch = patch
    let scheme = patch.manifest == nil ? LegacyScript.scheme : nil
    keys = patch.keys.map { BundleKeyView($0, scheme: scheme) }
  }

  func encode(to encoder: any Encoder) throws {
    var object = patch.manifest.map(BundleView.members) ?? [:]
    object["path"] = .string(patch.path)
    object["size"] = JSONValue(patch.size)
    object["format"] = .string(patch.manifest == nil ? "v1" : "v2")
    object["entry"] = .string(patch.entry)
    object["keys"] = .array(keys.map(\.json))
    object["reproducible"] = .bool(patch.isReproducible)
    try JSONValue.object(object).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: [StyledText(patch.path, .path)])
    if let manifest = patch.manifest { BundleView.describe(manifest, entry: patch.entry, catalogue, &document) }
    for key in keys { document.line(key.line("text.bundle-signed-by", catalogue)) }
    document.line(
      BundleView.field("text.bundle-size", ByteCount(UInt64(patch.size)).description, catalogue))
    return document
  }
}
