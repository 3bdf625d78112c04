/// The events that the system tells an app; the shell of the app hands it on by `MobileContext.trigger(_:)`.
///
/// Payloads are values of JSON, not UIKit's objects, so that modules are tested without a phone. Where the system waits
/// for an answer, the event has a reply; `receive(_:)`, `resume(_:)` and `answer(watch:)` of the context make such
/// events.
public enum SystemEvent: Sendable {
  /// The app is about to lose the user's input, as for a call or the app switcher.
  case willResignActive
  /// The app has left the screen.
  case didEnterBackground
  /// The app is about to come back to the screen.
  case willEnterForeground
  /// The app gets the user's input.
  case didBecomeActive
  /// The app is about to end.
  case willTerminate
  /// The system is short of memory.
  case didReceiveMemoryWarning
  /// Another app, or this one, opens a URL.
  case openURL(String, source: String?)
  /// A shortcut of the home screen was chosen.
  case quickAction(type: String, values: PayloadValues)
  /// The system gave the device's token for remote notifications.
  case didRegisterForRemoteNotifications(token: [UInt8])
  /// The system gave no token for remote notifications.
  case didFailToRegisterForRemoteNotifications(any Error)
  /// A notification came from a server; the answers of all who hear it are joined.
  case didReceiveRemoteNotification(NotificationPayload, EventReply<FetchResult>)
  /// A notification came that the app itself had set.
  case didReceiveLocalNotification(NotificationPayload)
  /// A notification is about to be shown while the app is in front.
  case willPresentNotification(NotificationPayload, EventReply<NotificationPresentation>)
  /// Somebody chose an action of a notification, and may have written a text; who needs time keeps the reply.
  case didReceiveNotificationResponse(NotificationPayload, action: String, text: String?, EventReply<Void>)
  /// An activity of this type is about to go on here; what it carries comes later.
  case willContinueUserActivity(type: String)
  /// A user's activity elsewhere goes on here; true is for a module that takes it up.
  case continueUserActivity(UserActivity, EventReply<Bool>)
  /// The system has changed an activity of the app.
  case didUpdateUserActivity(UserActivity)
  /// An activity of this type cannot go on here.
  case didFailToContinueUserActivity(type: String, any Error)
  /// A watch asks its app for something; the first answer counts.
  case watchRequest(PayloadValues, EventReply<PayloadValues?>)
  /// The app was unmounted: what it holds of the host is no longer there.
  case unmount
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
