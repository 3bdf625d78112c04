import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The terms of a new bundle: its name and version, for whom it is and how long.
struct BundleTermsOptions: ParsableArguments {
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

  /// The manifest of a bundle, as far as it is known before that is built.
  ///
  /// - Throws: `bundle-time-malformed`, `bundle-name`, `bundle-version`, `bundle-app-versions`.
  func manifest(patching symbols: [String], in context: Context) throws -> PatchManifest {
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
}
