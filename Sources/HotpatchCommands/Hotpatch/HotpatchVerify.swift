import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// `mpaas hotpatch verify FILE --trust KEY…`: whether a bundle is what a trusted signer made.
struct HotpatchVerifyCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "hotpatch.verify") }

  @Argument(help: .text("command.hotpatch.bundle"), completion: .file(extensions: ["mpatch", "js"]))
  var file: String

  @OptionGroup var trust: BundleTrustOptions
  @OptionGroup var identity: BundleIdentityOptions
  @OptionGroup var legacy: LegacyReadOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> VerifiedBundleView {
    let bytes = try BundlePath.read(file)
    if try legacy.applies(to: bytes, in: context) {
      return VerifiedBundleView(file: file, content: .legacy(try legacy.open(bytes, by: trust, in: context)))
    }
    let verifier = try trust.verifier(try identity.identities(in: context), in: context)
    return VerifiedBundleView(file: file, content: .bundle(try verifier.verify(bytes), threshold: trust.threshold))
  }
}

extension LegacyReadOptions {
  /// An old script that passed.
  struct Opened: Sendable {
    let key: BundleKeyView
    /// The Lua text; nil where no AES key was given, so that it was not looked at.
    let script: [UInt8]?
  }

  /// Checks an old script by the first trusted RSA key that fits, and opens it where there is an AES key.
  func open(_ bytes: Bytes, by trust: BundleTrustOptions, in context: Context) throws -> Opened {
    let (signer, key) = try LegacyScript.signer(of: bytes, among: try trust.signers(in: context), isAllowed: allowed)
    try signer.record?.check(for: .legacy, at: try trust.time(in: context))
    let script = try self.key().map { aes in
      try LegacyScript.open(bytes, aesKey: aes, signedBy: key, isAllowed: allowed)
    }
    return Opened(key: BundleKeyView(signer.key, name: signer.name, scheme: LegacyScript.scheme), script: script)
  }
}

/// A bundle that passed all checks.
struct VerifiedBundleView: Presentable {
  enum Content: Sendable {
    case bundle(VerifiedBundle, threshold: Int)
    case legacy(LegacyReadOptions.Opened)
  }

  let file: String
  let content: Content

  func encode(to encoder: any Encoder) throws {
    var object: JSONValue.Object
    switch content {
    case .bundle(let bundle, let threshold):
      object = BundleView.members(bundle.manifest)
      object["format"] = "v2"
      object["manifest_sha256"] = .string(bundle.manifestDigest)
      object["threshold"] = JSONValue(threshold)
      object["signatures"] = .array(bundle.signatures.map { BundleKeyView($0.key, name: $0.name).json })
      object["checks"] = .array(bundle.checks.map { .string($0.rawValue) })
      object["content_checked"] = .bool(bundle.files != nil)
      object["entry"] = Self.entry(bundle).map { .string($0) } ?? .null
    case .legacy(let opened):
      object = [
        "format": "v1", "app": .null, "version": .null, "signatures": [opened.key.json],
        "content_checked": .bool(opened.script != nil),
      ]
    }
    object["valid"] = true
    object["file"] = .string(file)
    try JSONValue.object(object).encode(to: encoder)
  }

  private static func entry(_ bundle: VerifiedBundle) -> String? {
    try? PayloadFolder.entry(of: bundle.manifest.files.map(\.path))
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document(lines: [StyledText(catalogue.text("text.bundle-valid", ["file": file]), .good)])
    let isOpened: Bool
    switch content {
    case .bundle(let bundle, _):
      BundleView.describe(bundle.manifest, entry: Self.entry(bundle), catalogue, &document)
      for signer in bundle.signatures {
        document.line(BundleKeyView(signer.key, name: signer.name).line("text.bundle-signed-by", catalogue))
      }
      for check in bundle.checks {
        document.line(StyledText("✓ ", .good) + StyledText(catalogue.text("text.bundle-check-\(check.rawValue)")))
      }
      isOpened = bundle.files != nil
    case .legacy(let opened):
      document.line(opened.key.line("text.bundle-signed-by", catalogue))
      isOpened = opened.script != nil
    }
    if !isOpened { document.line(StyledText(catalogue.text("text.bundle-not-opened"), .warning)) }
    return document
  }
}
