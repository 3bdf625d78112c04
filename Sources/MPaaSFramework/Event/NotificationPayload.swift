/// The contents of a notification.
public struct NotificationPayload: Sendable, Hashable {
  /// The ID of the notification's request; empty where it has none.
  public var identifier: String
  /// The title of the notification; empty where it has none.
  public var title: String
  /// The text of the notification; empty where it has none.
  public var body: String
  /// The values that the sender added, and what the system did (`aps`).
  public var values: PayloadValues

  /// Makes a payload; title, text and values are empty unless given.
  public init(identifier: String, title: String = "", body: String = "", values: PayloadValues = [:]) {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.values = values
  }

  /// Makes the payload of a notification from a server, whose title and text stand in `aps.alert`.
  public init(remote values: PayloadValues, identifier: String = "") {
    let alert = values["aps"]?["alert"]
    self.init(
      identifier: identifier, title: alert?["title"]?.string ?? "",
      body: alert?["body"]?.string ?? alert?.string ?? "", values: values)
  }
}

/// The activity that a user was doing elsewhere and goes on with here.
public struct UserActivity: Sendable, Hashable {
  /// In reverse domain notation: `com.example.shop.browsing`.
  public var type: String
  /// The address of a page that shows the same; nil where there is none.
  public var webpage: String?
  /// The values that describe the activity, by key.
  public var values: PayloadValues

  /// Makes an activity, without page and values unless they are given.
  public init(type: String, webpage: String? = nil, values: PayloadValues = [:]) {
    self.type = type
    self.webpage = webpage
    self.values = values
  }
}
