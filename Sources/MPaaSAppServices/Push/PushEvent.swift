import MPaaSSupport

/// A notification that has come to the app.
public struct PushEvent: Sendable, Equatable {
  /// The origins of notifications.
  public enum Origin: Sendable, Hashable {
    /// The server, over APNs.
    case remote
    /// The app itself, at a time that it set.
    case local
  }

  /// The origin of the notification.
  public let origin: Origin
  /// True where the user opened the app by the notification; false where it came while the app ran.
  public let wasOpened: Bool
  private let members: JSONValue.Object

  /// Reads the payload of a notification, which is JSON.
  ///
  /// - Throws: `AppServiceError` `push-event-malformed` for what is no JSON object, or longer than 64 KiB.
  public init(_ origin: Origin, payload: [UInt8], wasOpened: Bool) throws(AppServiceError) {
    let value = payload.count <= 64 << 10 ? try? payload.withUnsafeBytes({ try JSONValue(reading: $0) }) : nil
    guard let members = value?.object else { throw AppServiceError(.pushEventMalformed) }
    self.origin = origin
    self.wasOpened = wasOpened
    self.members = members
  }

  private var alert: JSONValue? { members["aps"]?.object?["alert"] }

  /// The text that is shown; nil where there is none.
  public var body: String? { alert?.string ?? alert?.object?["body"]?.string }
  /// The title; nil where there is none.
  public var title: String? { alert?.object?["title"]?.string }
  /// The number for the app's icon; nil where it stays.
  public var badge: Int? { members["aps"]?.object?["badge"]?.integer() }
  /// The name of the category; nil where there is none.
  public var category: String? { members["aps"]?.object?["category"]?.string }
  /// True where the app is woken in the background.
  public var isContentAvailable: Bool { members["aps"]?.object?["content-available"]?.integer(Int.self) == 1 }

  /// A text of the app's own, or a number or a truth value as it is written; nil where there is none.
  public subscript(name: String) -> String? {
    switch members[name] {
    case .string(let text): text
    case .null, .array, .object, nil: nil
    case let value?: value.line
    }
  }
}

extension AppServiceError.Code {
  /// A device token that is none.
  static var pushTokenMalformed: Self { AppServiceError.Code("push-token-malformed", exit: .malformedInput) }
  /// The payload of a notification that is no JSON object.
  static var pushEventMalformed: Self { AppServiceError.Code("push-event-malformed", exit: .malformedInput) }
}
