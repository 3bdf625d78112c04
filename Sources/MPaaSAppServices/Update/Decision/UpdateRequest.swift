#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The question of an app for a newer version.
///
/// It stands for `MPAAS_CheckUpgradeReq`.
public struct UpdateRequest: Sendable, Hashable {
  /// The app: `appkey` of the old kit.
  public var appKey: String
  /// The version that is installed: `CFBundleVersion`.
  public var version: String
  /// The system: `ios`, `macos`, `linux`, `android`.
  public var systemPlatform: String
  /// The system's version; nil where it is not known, which no minimum keeps back.
  public var systemVersion: String?
  /// The channel that the app follows.
  public var channel = "release"
  /// A name of the device that stays the same, for phased rollouts; nil gets what all devices get.
  public var deviceID: String?

  /// Creates a question.
  public init(appKey: String, version: String, systemPlatform: String = "ios") {
    self.appKey = appKey
    self.version = version
    self.systemPlatform = systemPlatform
  }
}

/// The newer version that an app is offered.
public struct UpdateOffer: Sendable, Hashable {
  /// The version with its files.
  public let release: UpdateRelease
  /// Tells whether the app is not to be used without it.
  public let isForced: Bool
  /// The way in which the user is told: `force` for what is forced by its deadline, too.
  public let prompt: UpdatePrompt

  package init(release: UpdateRelease, isForced: Bool, prompt: UpdatePrompt) {
    self.release = release
    self.isForced = isForced
    self.prompt = prompt
  }

  /// The time from which it is forced; nil for never.
  public var deadline: Date? { release.deadline }

  /// The version.
  public var version: String { release.version.text }

  /// The notes in a language; else in English, else in any language, and nil for none.
  public func notes(in language: String) -> String? {
    let notes = release.notes
    if let exact = notes[language] { return exact }
    let base = language.prefix { $0 != "-" && $0 != "_" }
    let near = notes.keys.sorted().first { $0.prefix { $0 != "-" && $0 != "_" } == base }
    return (near ?? (notes["en"] == nil ? notes.keys.min() : "en")).flatMap { notes[$0] }
  }

  /// The difference that leads from a version to this one; nil where there is none.
  package func delta(from version: AppVersion) -> UpdateDelta? { release.deltas.first { $0.from == version } }
}
