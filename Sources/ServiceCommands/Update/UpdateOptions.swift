import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSAppServices
import MPaaSAppServicesTools
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

/// The repository that versions are in, and whose keys sign changes of it.
struct UpdateRepositoryOptions: ParsableArguments {
  @Option(help: .text("command.update.repository", valueName: "folder"), completion: .directory)
  var repository: String?

  @Option(help: .text("command.update.app", valueName: "app"), completion: .updateApps)
  var app: String?

  func publisher(in context: Context) throws -> UpdatePublisher {
    guard let path = repository ?? context.environment["MPAAS_REPOSITORY"], !path.isEmpty else {
      throw Diagnostic("update-no-repository", exit: .usage)
    }
    return UpdatePublisher(RepositoryEditor(path, now: context.now))
  }
}

/// The keys that sign a change.
struct UpdateKeyOptions: ParsableArguments {
  @Option(name: .customLong("key"), help: .text("command.update.key", valueName: "name"), completion: .keyNames)
  var keyNames: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  /// The keys that are named, and those that the repository's settings name for its online roles.
  func signingKeys(for publisher: UpdatePublisher, in context: Context) throws -> [SigningKey] {
    let sealed = try publisher.sealedKeys(keyNames, of: context.keys)
    return try passphrase.source(in: context).open(sealed).map { try $0.signingKey() }
  }
}

/// The choice of a version that is there.
struct ReleaseOptions: ParsableArguments {
  @Argument(help: .text("command.update.version"), completion: .updateVersions)
  var version: String

  @Option(help: .text("command.update.platform", valueName: "system"), completion: .updatePlatforms)
  var platform: String?

  var choice: ReleaseChoice { ReleaseChoice(version: version, platform: platform) }
}

/// The choice of who gets a version, and how.
struct ReleaseSettingsOptions: ParsableArguments {
  @Option(help: .text("command.update.percent", valueName: "percent"))
  var percent: String?

  @Option(help: .text("command.update.notes", valueName: "language=text"))
  var notes: [String] = []

  @Option(help: .text("command.update.notes-file", valueName: "language=file"), completion: .file())
  var notesFile: [String] = []

  @Option(help: .text("command.update.minimum-system", valueName: "version"))
  var minimumSystem: String?

  @Option(help: .text("command.update.prompt", valueName: "way"))
  var prompt: Prompt?

  /// A way of telling users, by its word.
  enum Prompt: String, ExpressibleByArgument, CaseIterable { case silent, once, always, force }

  @Option(help: .text("command.update.force-below", valueName: "version"))
  var forceBelow: String?

  @Option(help: .text("command.update.deadline", valueName: "time"))
  var deadline: String?

  @Option(help: .text("command.update.page", valueName: "url"))
  var page: String?

  func changes(in context: Context) throws -> ReleaseChanges {
    var changes = ReleaseChanges()
    changes.basisPoints = try percent.map { try value($0, of: "--percent", RolloutBucket.basisPoints(ofPercentage:)) }
    changes.minimumSystem = try minimumSystem.map { try value($0, of: "--minimum-system", { DottedVersion($0) }) }
    changes.prompt = prompt.flatMap { UpdatePrompt(rawValue: $0.rawValue) }
    changes.forceBelow = try forceBelow.map { try UpdateFeed.version($0) }
    changes.deadline = try deadline.map { text in
      try value(text, of: "--deadline") { Date($0, after: context.now()) ?? Date(utc: $0) }
    }
    changes.page = page
    for note in notes {
      let (language, text) = try pair(note, of: "--notes")
      changes.notes[language] = text
    }
    for note in notesFile {
      let (language, path) = try pair(note, of: "--notes-file")
      changes.notes[language] = String(decoding: try Bytes.reading(path, limit: 1 << 20).array, as: UTF8.self)
    }
    return changes
  }

  private func value<Value>(_ text: String, of option: String, _ parse: (String) -> Value?) throws -> Value {
    guard let value = parse(text) else {
      throw Diagnostic("update-option", ["option": option, "value": text], exit: .usage)
    }
    return value
  }

  private func pair(_ text: String, of option: String) throws -> (String, String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw Diagnostic("update-option", ["option": option, "value": text], exit: .usage)
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }
}

extension CompletionKind {
  /// The apps that have versions in the repository.
  static var updateApps: CompletionKind { feeds { feed in [feed.app] } }

  /// The versions of the app that is named, or of all.
  static var updateVersions: CompletionKind { feeds { feed in feed.releases.map(\.version.text) } }

  /// The systems that versions are for.
  static var updatePlatforms: CompletionKind {
    feeds(or: ["ios", "macos", "linux", "android"]) { feed in feed.releases.map(\.platform) }
  }

  static var updateChannels: CompletionKind { feeds { feed in feed.releases.map(\.channel) } }

  private static func feeds(
    or usual: [String] = [], _ words: @escaping @Sendable (UpdateFeed) -> [String]
  ) -> CompletionKind {
    values { input in
      guard let path = input.option("--repository") ?? input.environment.variable("MPAAS_REPOSITORY") else {
        return usual
      }
      let app = input.option("--app")
      let feeds = try UpdatePublisher(RepositoryEditor(path, now: { Date() })).feeds()
      let found = Set(feeds.filter { app == nil || $0.app == app }.flatMap(words))
      return found.isEmpty ? usual : found.sorted()
    }
  }
}
