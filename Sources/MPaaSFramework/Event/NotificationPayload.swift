/// What came with a notification.
public struct NotificationPayload: Sendable, Hashable {
  public var identifier: String
  public var title: String
  public var body: String
  /// What the sender added, and what the system did (`aps`).
  public var values: PayloadValues

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

/// What a user was doing elsewhere and goes on with here.
public struct UserActivity: Sendable, Hashable {
  /// In reverse domain notation: `com.example.shop.browsing`.
  public var type: String
  public var webpage: String?
  public var values: PayloadValues

  public init(type: String, webpage: String? = nil, values: PayloadValues = [:]) {
    self.type = type
    self.webpage = webpage
    self.values = values
  }
}
