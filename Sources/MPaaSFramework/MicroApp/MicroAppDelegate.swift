/// What a micro-app does as it is started, covered, shown again and ended.
@MainActor public protocol MicroAppDelegate: AnyObject, Sendable {
  init()
}
