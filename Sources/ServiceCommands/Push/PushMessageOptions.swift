import ArgumentParser
import CommandKit
import MPaaSPush
import MPaaSSupport
import MPaaSTerminal

/// The contents of a notification.
struct PushMessageOptions: ParsableArguments {
  @Option(help: .text("command.push.send.alert", valueName: "text"))
  var alert: String?

  @Option(help: .text("command.push.send.title", valueName: "text"))
  var title: String?

  @Option(help: .text("command.push.send.subtitle", valueName: "text"))
  var subtitle: String?

  @Option(help: .text("command.push.send.badge", valueName: "number"))
  var badge: Int?

  @Option(help: .text("command.push.send.sound", valueName: "name"))
  var sound: String?

  @Option(help: .text("command.push.send.category", valueName: "name"))
  var category: String?

  @Option(help: .text("command.push.send.thread", valueName: "id"))
  var thread: String?

  @Flag(help: .text("command.push.send.content-available"))
  var contentAvailable = false

  @Flag(help: .text("command.push.send.mutable"))
  var mutable = false

  @Option(help: .text("command.push.send.data", valueName: "name=text"))
  var data: [String] = []

  @Option(
    help: .text("command.push.send.payload", valueName: "file"), completion: .file(extensions: ["json"]))
  var payload: String?

  @Option(help: .text("command.push.send.collapse-id", valueName: "id"))
  var collapseID: String?

  /// The payload for APNs: that of the file, or one of the options.
  func apnsPayload(in context: Context) throws -> String {
    if let payload {
      let bytes = try context.data(at: payload)
      return bytes.text
    }
    var parts = APNsAlert()
    (parts.title, parts.subtitle, parts.body) = (title, subtitle, alert)
    (parts.badge, parts.sound, parts.category, parts.threadID) = (badge, sound, category, thread)
    (parts.isContentAvailable, parts.isMutable) = (contentAvailable, mutable)
    for (name, text) in try members() { parts.custom[name] = .string(text) }
    return parts.payload
  }

  /// The message for FCM, which has no payload of its own.
  func fcmMessage(isValidatedOnly: Bool) throws -> FCMMessage {
    var message = FCMMessage()
    (message.title, message.body, message.collapseKey) = (title, alert, collapseID)
    message.data = try Dictionary(members()) { $1 }
    message.isValidatedOnly = isValidatedOnly
    try message.check()
    return message
  }

  private func members() throws -> [(String, String)] {
    try data.map { pair in
      guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex, pair[..<equals] != "aps" else {
        throw Diagnostic("push-option", ["option": "--data", "value": pair], exit: .usage)
      }
      return (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
    }
  }
}
