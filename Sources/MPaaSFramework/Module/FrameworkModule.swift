/// A part of an app that takes part in its start, its events and its end.
@MainActor public protocol FrameworkModule: AnyObject, Sendable {
  init()
}
