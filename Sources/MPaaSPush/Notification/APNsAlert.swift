package import MPaaSSupport

/// The parts of a payload that people see and hear.
package struct APNsAlert: Sendable, Equatable {
  package var title: String?
  package var subtitle: String?
  package var body: String?
  package var badge: Int?
  package var sound: String?
  package var category: String?
  package var threadID: String?
  /// True for a notification that the app is woken for.
  package var isContentAvailable = false
  /// True for a notification that the app's extension may change.
  package var isMutable = false
  /// The app's own members, beside `aps`.
  package var custom: JSONValue.Object = [:]

  package init() {}

  /// The payload as JSON: an alert with a body alone is a plain string, as in Apple's examples.
  package var payload: String {
    var aps: JSONValue.Object = [:]
    let texts = [("title", title), ("subtitle", subtitle), ("body", body)].filter { $0.1 != nil }
    if texts.count == 1, let body {
      aps["alert"] = .string(body)
    } else if !texts.isEmpty {
      aps["alert"] = .object(.init(uniqueKeysWithValues: texts.map { ($0.0, JSONValue.string($0.1 ?? "")) }))
    }
    if let badge { aps["badge"] = JSONValue(badge) }
    for (name, text) in [("sound", sound), ("category", category), ("thread-id", threadID)] {
      if let text { aps[name] = .string(text) }
    }
    if isContentAvailable { aps["content-available"] = 1 }
    if isMutable { aps["mutable-content"] = 1 }
    var members = custom
    members["aps"] = .object(aps)
    return JSONValue.object(members).line
  }
}
