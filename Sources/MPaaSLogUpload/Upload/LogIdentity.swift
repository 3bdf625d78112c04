/// Who sends: what stands in each batch.
public struct LogIdentity: Sendable, Hashable {
  public var app: String
  public var version: String
  /// A name of the device that the app made once and keeps.
  public var device: String
  public var user: String?
  public var system: String?

  public init(app: String, version: String = "", device: String, user: String? = nil, system: String? = nil) {
    self.app = app
    self.version = version
    self.device = device
    self.user = user
    self.system = system
  }
}
