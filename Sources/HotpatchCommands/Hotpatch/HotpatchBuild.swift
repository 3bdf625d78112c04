import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `mpaas hotpatch build SOURCE…`: Lua files and resources → a signed and encrypted bundle.
struct HotpatchBuildCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("build", key: "hotpatch.build") }

  @Argument(help: .text("command.hotpatch.build.sources"), completion: .file())
  var sources: [String]

  @Option(help: .text("command.hotpatch.build.app", valueName: "key"))
  var app: String?

  @Option(name: .customLong("patch-version"), help: .text("command.hotpatch.build.version", valueName: "version"))
  var version: String?

  @Option(help: .text("command.hotpatch.build.name", valueName: "patch"))
  var name = "patch"

  @Option(help: .text("command.hotpatch.build.channel", valueName: "channel"))
  var channel = "release"

  @Option(name: .customLong("app-versions"), help: .text("command.hotpatch.build.app-versions", valueName: "range"))
  var appVersions = "*"

  @Option(help: .text("command.hotpatch.build.issued", valueName: "time"))
  var issued: String?

  @Option(help: .text("command.hotpatch.build.expires", valueName: "time"))
  var expires = "180d"

  @Option(help: .text("command.hotpatch.build.notes", valueName: "text"))
  var notes = ""

  @Option(
    name: .customLong("key"), parsing: .upToNextOption, help: .text("command.hotpatch.build.key", valueName: "key"),
    completion: .keyNames)
  var keys: [String] = []

  @Option(
    name: .customLong("recipient"), parsing: .upToNextOption,
    help: .text("command.hotpatch.build.recipient", valueName: "age1…"))
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
      guard app != nil, version != nil, !keys.isEmpty, !recipients.isEmpty, aesKey == nil, rsaKey == nil else {
        throw ValidationError(Catalogue.current.text("text.bundle-build-usage"))
      }
    }
  }

  func run(in context: Context) async throws -> BuiltBundle {
    let files = try PayloadFolder.read(sources)
    let scripts = files.filter(\.isLua).map { file in LuaSource(file.contents.array, name: file.path) }
    try PatchLinter(symbols: try symbols.map { try SymbolList(path: $0) }).requireClean(scripts)
    if legacy { return try buildLegacy(files, in: context) }
    let entry = try PayloadFolder.entry(of: files.map(\.path))
    var builder = BundleBuilder(
      manifest: try manifest(patching: PatchLinter.patchedSymbols(scripts), in: context), files: files,
      recipients: try recipients.map { try recipient($0, in: context) }, keys: [])
    let role = KeyRole.patches(app: builder.manifest.app, channel: channel)
    builder.keys = try passphrase.signingKeys(keys, for: role, in: context)
    if !builder.isReproducible {
      context.terminal.note(StyledText(context.catalogue.text("text.bundle-not-reproducible")))
    }
    let (bytes, manifest) = try builder.build()
    try Bytes(bytes).write(to: output)
    return BuiltBundle(
      path: output, size: bytes.count, manifest: manifest, entry: entry,
      keys: builder.keys.map { BundleKeyView($0.verificationKey) }, isReproducible: builder.isReproducible)
  }

  private func manifest(patching symbols: [String], in context: Context) throws -> PatchManifest {
    let now = context.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init).map(Date.init(timeIntervalSince1970:))
    let start = (now ?? context.now()).wholeSeconds
    let issued = try issued.map { try BundleTime.read($0, from: start) } ?? start
    for word in [app ?? "", channel, name] where !PatchManifest.isName(word) {
      throw Diagnostic("bundle-name", ["value": word], exit: .usage)
    }
    guard let version = DottedVersion(version ?? "") else {
      throw Diagnostic("bundle-version", ["value": self.version ?? ""], exit: .usage)
    }
    guard let appVersions = DottedVersionRange(appVersions) else {
      throw Diagnostic("bundle-app-versions", ["value": self.appVersions], exit: .usage)
    }
    let expires = try BundleTime.read(expires, from: issued)
    guard issued < expires else { throw Diagnostic("bundle-time-malformed", ["value": self.expires], exit: .usage) }
    return PatchManifest(
      app: app ?? "", channel: channel, patch: name, version: version, appVersions: appVersions, issued: issued,
      expires: expires, symbols: symbols, payload: .init(length: 0, sha256: "", plainLength: 0), files: [], notes: notes
    )
  }

  /// The recipient that a word names: `age1…`, an age key of the store, or a file with a line of the first kind.
  private func recipient(_ word: String, in context: Context) throws -> AgeRecipient {
    if word.hasPrefix("age1") { return try AgeRecipient(word) }
    if FileStatus(word) != nil {
      let text = String(decoding: try Bytes.reading(word, limit: 1 << 16).array, as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
      return try AgeRecipient(String(line))
    }
    return try context.keys.anyRecord(word).record.publicKey.recipient()
  }

  private func buildLegacy(_ files: [PayloadFile], in context: Context) throws -> BuiltBundle {
    guard files.count == 1, let file = files.first, file.isLua else {
      throw Diagnostic("bundle-legacy-one-file", ["count": String(files.count)], exit: .usage)
    }
    let rsa = try legacyKey(rsaKey ?? "", in: context)
    context.terminal.warning(Diagnostic("legacy-weak", exit: .done))
    let bytes = try LegacyScript.encoded(
      file.contents.array, aesKey: try LegacyAESKey(hexadecimal: aesKey ?? ""), rsaKey: rsa)
    try Bytes(bytes).write(to: output)
    return BuiltBundle(
      path: output, size: bytes.count, manifest: nil, entry: file.path,
      keys: [BundleKeyView(try VerificationKey(pem: rsa.publicKey.pem), scheme: LegacyScript.scheme)],
      isReproducible: true)
  }
}

extension HotpatchBuildCommand {
  private func legacyKey(_ path: String, in context: Context) throws -> LegacyPrivateKey {
    let (bytes, isOpenToOthers) = try PrivateFile.readAnyway(path)
    if isOpenToOthers {
      context.terminal.warning(Diagnostic("legacy-key-open", ["path": path], at: .file(path), exit: .notPermitted))
    }
    do throws(TrustError) {
      return try LegacyPrivateKey(pem: bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    } catch {
      throw TrustError(error.code, error.values, at: .file(path))
    }
  }
}

/// What was built.
struct BuiltBundle: Presentable {
  let path: String
  let size: Int
  /// nil for an old script.
  let manifest: PatchManifest?
  let entry: String
  let keys: [BundleKeyView]
  let isReproducible: Bool

  func encode(to encoder: any Encoder) throws {
    var object = manifest.map(BundleView.members) ?? [:]
    object["path"] = .string(path)
    object["size"] = JSONValue(size)
    object["format"] = .string(manifest == nil ? "v1" : "v2")
    object["entry"] = .string(entry)
    object["keys"] = .array(keys.map(\.json))
    object["reproducible"] = .bool(isReproducible)
    try JSONValue.object(object).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: [StyledText(path, .path)])
    if let manifest { BundleView.describe(manifest, entry: entry, catalogue, &document) }
    for key in keys { document.line(key.line("text.bundle-signed-by", catalogue)) }
    document.line(
      BundleView.field("text.bundle-size", ByteCount(UInt64(size)).description, catalogue))
    return document
  }
}
