public import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts that a feedback service works with, and the functions that an app lends to it.
public struct FeedbackConfiguration: Sendable {
  /// The server that feedback goes to.
  public var server: AppServer
  /// The folder for what waits, what was sent, and the replies; nothing else may be in it.
  public var folder: String
  /// The device's name, which the app made once and keeps; the one that its `LogCollector` has.
  public var device: String
  /// The version of the app.
  public var version = ""
  /// The language of the user: `zh-Hans-CN`.
  public var locale: String?
  /// The word that opens the replies to this device's feedback: 32 to 200 letters, digits and hyphens.
  ///
  /// nil makes one and keeps it in the folder; an app that has one in its keychain finds replies after it was installed
  /// anew, too.
  public var secret: String?
  /// The networks that pictures may use; the words go over any.
  public var pictureNetwork = Transfer.NetworkRule.any
  /// Further facts about the device, asked for with each piece of feedback.
  public var facts: @Sendable () -> [String: String] = { SystemFacts.current }
  /// Called where the server has feedback with logs and asks this device for them: the place for
  /// `LogCollector.collect`.
  public var collectLogs: @Sendable () async -> Void = {}
  /// The form's rules.
  public var model = FeedbackFormModel()
  /// Days that feedback without news stays on the device.
  public var keptDays = 180.0
  /// Seconds since 1970; to be replaced in tests.
  public var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }

  /// Creates a configuration.
  public init(server: AppServer, folder: String, device: String) {
    (self.server, self.folder, self.device) = (server, folder, device)
  }
}
