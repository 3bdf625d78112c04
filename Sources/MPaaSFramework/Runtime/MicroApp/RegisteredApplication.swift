/// A micro-app that registers itself: the build-tool plug-in `RuntimeTable` finds the types that name this protocol.
///
/// ```swift
/// final class CartApp: RegisteredApplication {
///   static let registration = ApplicationRegistration(name: "cart", title: "Cart")
/// }
/// ```
@MainActor public protocol RegisteredApplication: MicroAppDelegate {
  /// The name and the title of the micro-app.
  nonisolated static var registration: ApplicationRegistration { get }
}

extension RegisteredApplication {
  /// A registration under the name of the type, without a title.
  public nonisolated static var registration: ApplicationRegistration { ApplicationRegistration() }
}

/// The statements of a micro-app about itself: the same as an entry of `Applications` in `MobileRuntime.plist`.
public struct ApplicationRegistration: Sendable {
  /// The type's name where it is nil.
  public var name: String?
  /// The name that people know the micro-app by; its registered name serves where this is nil.
  public var title: String?

  /// Makes a registration, under the name of the type and without a title unless they are given.
  public init(name: String? = nil, title: String? = nil) {
    self.name = name
    self.title = title
  }
}

extension ApplicationEntry {
  /// The entry of a micro-app that registers itself; `place` is where its type is declared.
  public init(registered type: any RegisteredApplication.Type, place: SourcePlace? = nil) {
    let registration = type.registration
    self.init(
      name: registration.name ?? String(describing: type), title: registration.title, delegate: type, place: place)
  }
}
