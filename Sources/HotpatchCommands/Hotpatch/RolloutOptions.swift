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

/// The repository that rollouts are in, and whose keys sign changes of it.
struct RolloutRepositoryOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.repository", valueName: "folder"), completion: .directory)
  var repository: String?

  @Option(name: .customLong("key"), help: .text("command.hotpatch.key", valueName: "name"), completion: .keyNames)
  var keyNames: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  func publisher(in context: Context) throws -> RolloutPublisher {
    guard let path = repository ?? context.environment["MPAAS_REPOSITORY"], !path.isEmpty else {
      throw Diagnostic("rollout-no-repository", exit: .usage)
    }
    return RolloutPublisher(RepositoryEditor(path, now: context.now))
  }

  /// The keys that are named, and those that the repository's settings name for its online roles.
  func signingKeys(for publisher: RolloutPublisher, in context: Context) throws -> [SigningKey] {
    var names = keyNames
    for name in try publisher.editor.read().settings.onlineKeys where !names.contains(name) { names.append(name) }
    guard !names.isEmpty else { throw Diagnostic("rollout-no-key", exit: .usage) }
    let sealed = try names.map { try context.keys.sealedKey($0) }
    for key in sealed { try Self.check(key, at: context.now()) }
    return try passphrase.open(sealed, in: context).map { try $0.signingKey() }
  }

  /// A key must be for at least one of the roles that publishing needs.
  private static func check(_ key: SealedKey, at time: Date) throws(TrustError) {
    let roles: [KeyRole] = [.director, .snapshot, .timestamp, .targets, .root]
    for role in roles where (try? key.check(for: role, at: time)) != nil { return }
    try key.check(for: .director, at: time)
  }
}

/// Which rollout is meant.
struct RolloutChoiceOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.app", valueName: "app"))
  var app: String?

  @Option(help: .text("command.hotpatch.patch", valueName: "name"))
  var patch: String?

  @Option(help: .text("command.hotpatch.patch-version", valueName: "version"))
  var patchVersion: String?

  @Option(help: .text("command.hotpatch.channel", valueName: "channel"))
  var channel: String?

  /// The app that is named, or the only one that the repository has rollouts of.
  func app(of publisher: RolloutPublisher) throws -> String {
    if let app { return app }
    let apps = try publisher.documents().map(\.app)
    guard let only = apps.first else { throw TrustError(.rolloutUnknown, ["app": "*", "patch": "*", "version": "*"]) }
    guard apps.count == 1 else {
      throw Diagnostic("rollout-several-apps", ["list": apps.joined(separator: ", ")], exit: .usage)
    }
    return only
  }

  func index(in document: RolloutDocument) throws(TrustError) -> Int {
    try document.index(patch: patch, version: try version, channel: channel)
  }

  var version: DottedVersion? {
    get throws(TrustError) {
      guard let patchVersion else { return nil }
      guard let version = DottedVersion(patchVersion) else {
        throw TrustError(.patchVersionMalformed, ["value": patchVersion])
      }
      return version
    }
  }
}

/// Who gets a patch.
struct RolloutSettingsOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.rollout.percent", valueName: "percent"))
  var percent: String?

  @Option(help: .text("command.hotpatch.rollout.stage", valueName: "list|window|official"))
  var stage: String?

  @Option(help: .text("command.hotpatch.rollout.rule", valueName: "rule"))
  var rule: [String] = []

  @Flag(help: .text("command.hotpatch.rollout.no-rules"))
  var noRules = false

  @Option(help: .text("command.hotpatch.rollout.allow", valueName: "id"))
  var allow: [String] = []

  @Option(help: .text("command.hotpatch.rollout.deny", valueName: "id"))
  var deny: [String] = []

  @Option(help: .text("command.hotpatch.rollout.allow-file", valueName: "file"), completion: .file())
  var allowFile: String?

  @Option(help: .text("command.hotpatch.rollout.deny-file", valueName: "file"), completion: .file())
  var denyFile: String?

  @Option(help: .text("command.hotpatch.rollout.window", valueName: "start/end"))
  var window: String?

  @Option(help: .text("command.hotpatch.rollout.users", valueName: "number"))
  var users: Int?

  @Option(help: .text("command.hotpatch.rollout.population", valueName: "number"))
  var population: Int?

  @Option(help: .text("command.hotpatch.rollout.app-versions", valueName: "range"))
  var appVersions: String?

  @Flag(inversion: .prefixedNo, help: .text("command.hotpatch.rollout.mandatory"))
  var mandatory: Bool?

  @Option(help: .text("command.hotpatch.rollout.reason", valueName: "text"))
  var reason = ""

  /// The changes that the options ask for, as values; read before anything is locked.
  func changes(in context: Context) throws -> RolloutChanges {
    var changes = RolloutChanges(reason: reason)
    changes.basisPoints = try percent.map(Self.basisPoints)
    changes.stage = try stage.map { text in
      guard let stage = Rollout.Stage(rawValue: text) else {
        throw Diagnostic("rollout-option", ["option": "--stage", "value": text], exit: .usage)
      }
      return stage
    }
    changes.rules = noRules ? [] : rule.isEmpty ? nil : try rule.map { try RolloutRule($0) }
    changes.allow = try allow + Self.lines(allowFile)
    changes.deny = try deny + Self.lines(denyFile)
    changes.window = try window.map { try parse($0, context) }
    changes.appVersions = try appVersions.map { text in
      guard let range = DottedVersionRange(text) else {
        throw Diagnostic("rollout-option", ["option": "--app-versions", "value": text], exit: .usage)
      }
      return range
    }
    changes.isMandatory = mandatory
    return changes
  }

  /// `12.5` as 1,250 of 10,000.
  static func basisPoints(_ text: String) throws -> Int {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard let first = parts.first, fraction.utf8.count <= 2, parts.count == 1 || !fraction.isEmpty,
      (String(first) + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let whole = Int(first), whole <= 100,
      let hundredths = Int((fraction + "00").prefix(2)), whole * 100 + hundredths <= RolloutBucket.count
    else { throw Diagnostic("rollout-option", ["option": "--percent", "value": text], exit: .usage) }
    return whole * 100 + hundredths
  }

  private static func lines(_ path: String?) throws -> [String] {
    guard let path else { return [] }
    let bytes = try Bytes.reading(path, limit: 64 << 20)
    return String(decoding: bytes.buffer, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.filter { $0 != "\r" } }.filter { !$0.isEmpty }
  }

  private func parse(_ text: String, _ context: Context) throws -> Rollout.Window {
    let parts = text.split(separator: "/").map(String.init)
    guard parts.count == 2, let users, let population, users > 0, population > 0 else {
      throw Diagnostic("rollout-window", ["value": text], exit: .usage)
    }
    let times = parts.compactMap(Date.init(utc:))
    // mPaaS has windows of less than seven days.
    guard times.count == 2, times[0] < times[1], times[1].timeIntervalSince(times[0]) < 7 * 86_400 else {
      throw Diagnostic("rollout-window", ["value": text], exit: .usage)
    }
    return Rollout.Window(start: times[0], end: times[1], users: users, population: population)
  }
}

extension TrustError.Code {
  static let patchVersionMalformed = TrustError.Code("patch-version-malformed", exit: .usage)
}
