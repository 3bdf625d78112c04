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
    let sealed = try publisher.sealedKeys(keyNames, of: context.keys)
    return try passphrase.source(in: context).open(sealed).map { try $0.signingKey() }
  }
}

/// The choice of a rollout.
struct RolloutChoiceOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.app", valueName: "app"), completion: .rolloutApps)
  var app: String?

  @Option(help: .text("command.hotpatch.patch", valueName: "name"), completion: .rolloutPatches)
  var patch: String?

  @Option(help: .text("command.hotpatch.patch-version", valueName: "version"), completion: .rolloutVersions)
  var patchVersion: String?

  @Option(help: .text("command.hotpatch.channel", valueName: "channel"), completion: .rolloutChannels)
  var channel: String?

  var choice: RolloutChoice { RolloutChoice(app: app, patch: patch, version: patchVersion, channel: channel) }
}

/// The choice of the devices that get a patch.
struct RolloutSettingsOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.rollout.percent", valueName: "percent"))
  var percent: String?

  @Option(
    help: .text("command.hotpatch.rollout.stage", valueName: "list|window|official"),
    completion: .list(Rollout.Stage.allCases.map(\.rawValue)))
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
    changes.basisPoints = try percent.map { try value($0, of: "--percent", RolloutBucket.basisPoints(ofPercentage:)) }
    changes.stage = try stage.map { try value($0, of: "--stage", Rollout.Stage.init(rawValue:)) }
    changes.rules = noRules ? [] : rule.isEmpty ? nil : try rule.map { try RolloutRule($0) }
    changes.allow = try allow + RolloutChanges.identifiers(in: allowFile)
    changes.deny = try deny + RolloutChanges.identifiers(in: denyFile)
    changes.window = try window.map(parsed)
    changes.appVersions = try appVersions.map { try value($0, of: "--app-versions", { DottedVersionRange($0) }) }
    changes.isMandatory = mandatory
    return changes
  }

  private func value<Value>(_ text: String, of option: String, _ parse: (String) -> Value?) throws -> Value {
    guard let value = parse(text) else {
      throw Diagnostic("rollout-option", ["option": option, "value": text], exit: .usage)
    }
    return value
  }

  private func parsed(_ text: String) throws -> Rollout.Window {
    let times = text.split(separator: "/").map { Date(utc: String($0)) }
    guard times.count == 2, let start = times[0], let end = times[1] else {
      throw TrustError(.rolloutWindow, ["value": text])
    }
    return try Rollout.Window(from: start, to: end, users: users, of: population, named: text)
  }
}
