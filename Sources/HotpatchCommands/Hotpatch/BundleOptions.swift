import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The signers that a bundle must have, and the app, channel and time that it must be for.
struct BundleTrustOptions: ParsableArguments {
  @Option(parsing: .upToNextOption, help: .text("command.hotpatch.trust", valueName: "key"), completion: .keysAndFiles)
  var trust: [String] = []

  @Option(help: .text("command.hotpatch.threshold", valueName: "number"))
  var threshold = 1

  @Option(help: .text("command.hotpatch.expect-app", valueName: "app"))
  var app: String?

  @Option(help: .text("command.hotpatch.expect-channel", valueName: "channel"))
  var channel: String?

  @Option(help: .text("command.hotpatch.at", valueName: "time"))
  var at: String?

  /// The keys that `--trust` names: files of public keys, or names of the store; the user's own and the trusted
  /// keys of the store where nothing is named.
  func signers(in context: Context) throws -> TrustedSigners {
    try TrustedSigners(trust, of: context.keys, threshold: threshold)
  }

  func time(in context: Context) throws -> Date {
    guard let at else { return context.now() }
    return try BundleTime.read(at, from: context.now())
  }

  func verifier(_ identities: [AgeIdentity], in context: Context) throws -> BundleVerifier {
    var verifier = BundleVerifier(
      signers: try signers(in: context), identities: identities, app: app, channel: channel,
      time: try time(in: context))
    verifier.checksTerm = true
    return verifier
  }
}

/// Keys that open the payload of a bundle.
struct BundleIdentityOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption, help: .text("command.hotpatch.identity", valueName: "key"), completion: .keysAndFiles)
  var identity: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  /// The keys that `--identity` names.
  func identities(in context: Context) throws -> [AgeIdentity] {
    try Self.identities(identity, passphrase, in: context)
  }

  static func identities(
    _ words: [String], _ passphrase: PassphraseOptions, in context: Context
  ) throws -> [AgeIdentity] {
    try words.flatMap { word in
      try context.keys.identities(word) { try passphrase.source(in: context).open([$0]) }
    }
  }
}

/// Reading of the old script, which has to be asked for.
struct LegacyReadOptions: ParsableArguments {
  @Flag(name: .customLong("allow-legacy-v1"), help: .text("command.hotpatch.allow-legacy-v1"))
  var allowed = false

  @Option(name: .customLong("aes-key"), help: .text("command.hotpatch.aes-key", valueName: "hex"))
  var aesKey: String?

  /// Tells whether the file is an old script; where it is, and was not asked for, it is refused.
  func applies(to bytes: Bytes, in context: Context) throws(TrustError) -> Bool {
    guard LegacyScript.matches(bytes) else { return false }
    guard allowed else { throw TrustError(.legacyNotAllowed) }
    context.terminal.warning(LegacyScript.warning)
    return true
  }

  func key() throws -> LegacyAESKey? {
    try aesKey.map { text throws(TrustError) in try LegacyAESKey(hexadecimal: text) }
  }
}

/// Times on command lines: `2026-03-01`, `2026-03-01T12:00:00Z`, or `30d`, `12h`, `8w` after another time.
enum BundleTime {
  static func read(_ text: String, from start: Date) throws -> Date {
    guard let time = Date(text, after: start) ?? Date(utc: text) else {
      throw Diagnostic("bundle-time-malformed", ["value": text], exit: .usage)
    }
    return time
  }
}
