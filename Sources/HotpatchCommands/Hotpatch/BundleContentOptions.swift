import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// The options by which a command opens a bundle for what is inside: whom it trusts, and what decrypts.
struct BundleContentOptions: ParsableArguments {
  @OptionGroup var trust: BundleTrustOptions
  @OptionGroup var identity: BundleIdentityOptions
  @OptionGroup var legacy: LegacyReadOptions

  /// The files of a bundle that passed all checks, in memory only.
  func files(of path: String, in context: Context) throws -> [PayloadFile] {
    let bytes = try BundlePath.read(path)
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
