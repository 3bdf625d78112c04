/// The sender: what stands in each batch.
public struct LogIdentity: Sendable, Hashable {
  /// The ID of the app.
  public var app: String
  /// The version of the app; empty where it is not known.
  public var version: String
  /// A name of the device that the app made once and keeps.
  public var device: String
  /// The ID of the user; nil where none is logged in.
  public var user: String?
  /// The name and the version of the operating system; nil where they are not known.
  public var system: String?

  /// Makes an identity; version, user and system are left out unless given.
  public init(app: String, version: String = "", device: String, user: String? = nil, system: String? = nil) {
    self.app = app
    self.version = version
    self.device = device
    self.user = user
    self.system = system
  }
}
