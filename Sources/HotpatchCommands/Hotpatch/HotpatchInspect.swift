import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

/// `mpaas hotpatch inspect FILE`: what a bundle says, without asking who says it.
struct HotpatchInspectCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("inspect", key: "hotpatch.inspect") }

  @Argument(help: .text("command.hotpatch.bundle"), completion: .file(extensions: ["mpatch", "js"]))
  var file: String

  @Flag(name: .customLong("allow-legacy-v1"), help: .text("command.hotpatch.allow-legacy-v1"))
  var allowsLegacy = false

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> InspectedBundle {
    let bytes = try BundlePath.read(file)
    if LegacyScript.matches(bytes) {
      guard allowsLegacy else { throw TrustError(.legacyNotAllowed) }
      context.terminal.warning(LegacyScript.warning)
      return InspectedBundle(file: file, size: bytes.count, manifest: nil, keys: [], payloadMatches: nil)
    }
    let inspection = try BundleInspection(reading: bytes)
    let known = try Self.knownKeys(in: context)
    return InspectedBundle(
      file: file, size: bytes.count, manifest: inspection.manifest,
      keys: inspection.keyIDs.map { known[$0] ?? BundleKeyView(unknown: $0) },
      payloadMatches: inspection.payloadMatches)
  }

  /// The keys of the store by their identifiers, so that they can be called by their names.
  private static func knownKeys(in context: Context) throws -> [String: BundleKeyView] {
    let store = context.keys
    let records =
      try store.names().map { try store.record($0) } + store.trustedNames().map { try store.trustedRecord($0) }
    let views = records.compactMap { record -> (String, BundleKeyView)? in
      guard case .signing(let key) = record.publicKey else { return nil }
      return (key.keyID, BundleKeyView(key, name: record.name))
    }
    return Dictionary(views) { first, _ in first }
  }
}

/// The statements of a bundle, which have not been checked.
struct InspectedBundle: Presentable {
  let file: String
  let size: Int
  /// nil for an old script, which says nothing without its keys.
  let manifest: PatchManifest?
  let keys: [BundleKeyView]
  let payloadMatches: Bool?

  func encode(to encoder: any Encoder) throws {
    var object = manifest.map(BundleView.members) ?? [:]
    object["file"] = .string(file)
    object["size"] = JSONValue(size)
    object["format"] = .string(manifest == nil ? "v1" : "v2")
    object["verified"] = false
    object["signatures"] = .array(keys.map(\.json))
    object["payload_matches"] = payloadMatches.map { .bool($0) } ?? .null
    try JSONValue.object(object).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: [StyledText(catalogue.text("text.bundle-unverified"), .warning)])
    if let manifest {
      let entry = try? PayloadFolder.entry(of: manifest.files.map(\.path))
      BundleView.describe(manifest, entry: entry, catalogue, &document)
    } else {
      document.line(StyledText(catalogue.text("text.bundle-legacy")))
    }
    for key in keys { document.line(key.line("text.bundle-claims", catalogue)) }
    document.line(BundleView.field("text.bundle-size", ByteCount(UInt64(size)).description, catalogue))
    if payloadMatches == false { document.line(StyledText(catalogue.text("text.bundle-payload-differs"), .bad)) }
    return document
  }
}
