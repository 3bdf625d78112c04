/// What the system tells an app; the shell of the app hands it on by `MobileContext.trigger(_:)`.
///
/// Payloads are values, not UIKit's objects, so that modules are tested without a phone.
public enum SystemEvent: Sendable {
  case willResignActive
  case didEnterBackground
  case willEnterForeground
  case didBecomeActive
  case willTerminate
  case didReceiveMemoryWarning
  /// Another app, or this one, opens a URL.
  case openURL(String, source: String?)
  /// A shortcut of the home screen was chosen.
  case quickAction(type: String, values: [String: String])
  case didRegisterForRemoteNotifications(token: [UInt8])
  case didFailToRegisterForRemoteNotifications(any Error)
  case didReceiveRemoteNotification(NotificationPayload)
  case didReceiveLocalNotification(NotificationPayload)
  /// A notification is about to be shown while the app is in front.
  case willPresentNotification(NotificationPayload)
  /// Somebody chose an action of a notification.
  case didReceiveNotificationResponse(NotificationPayload, action: String)
  case willContinueUserActivity(type: String)
  case continueUserActivity(UserActivity)
  case didUpdateUserActivity(UserActivity)
  case didFailToContinueUserActivity(type: String, any Error)
  /// A watch asks its app for something.
  case watchRequest(values: [String: String])
  /// The app was unmounted: what it holds of the host is no longer there.
  case unmount
}

/// What came with a notification.
public struct NotificationPayload: Sendable, Hashable {
  public var identifier: String
  public var title: String
  public var body: String
  /// What the sender added.
  public var values: [String: String]

  public init(identifier: String, title: String = "", body: String = "", values: [String: String] = [:]) {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.values = values
  }
}

/// What a user was doing elsewhere and goes on with here.
public struct UserActivity: Sendable, Hashable {
  /// In reverse domain notation: `com.example.shop.browsing`.
  public var type: String
  public var webpage: String?
  public var values: [String: String]

  public init(type: String, webpage: String? = nil, values: [String: String] = [:]) {
    self.type = type
    self.webpage = webpage
    self.values = values
  }
}

extension SystemEvent {
  /// The event's name without what came with it: `openURL`.
  public var name: String {
    switch self {
    case .willResignActive: "willResignActive"
    case .didEnterBackground: "didEnterBackground"
    case .willEnterForeground: "willEnterForeground"
    case .didBecomeActive: "didBecomeActive"
    case .willTerminate: "willTerminate"
    case .didReceiveMemoryWarning: "didReceiveMemoryWarning"
    case .openURL: "openURL"
    case .quickAction: "quickAction"
    case .didRegisterForRemoteNotifications: "didRegisterForRemoteNotifications"
    case .didFailToRegisterForRemoteNotifications: "didFailToRegisterForRemoteNotifications"
    case .didReceiveRemoteNotification: "didReceiveRemoteNotification"
    case .didReceiveLocalNotification: "didReceiveLocalNotification"
    case .willPresentNotification: "willPresentNotification"
    case .didReceiveNotificationResponse: "didReceiveNotificationResponse"
    case .willContinueUserActivity: "willContinueUserActivity"
    case .continueUserActivity: "continueUserActivity"
    case .didUpdateUserActivity: "didUpdateUserActivity"
    case .didFailToContinueUserActivity: "didFailToContinueUserActivity"
    case .watchRequest: "watchRequest"
    case .unmount: "unmount"
    }
  }
}
