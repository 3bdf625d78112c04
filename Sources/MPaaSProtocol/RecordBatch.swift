/// Records of monitor points that a device uploads together.
package struct RecordBatch: Codable, Sendable, Equatable {
  /// Made once by the device; sent twice, the batch is stored once and answered alike.
  package var id: String
  package var app: String
  package var device: String
  package var user: String?
  /// `behavior`, `crash`, `automation`, `performance`, `alive` or a type of the app's own.
  package var type: String
  /// One record a line, without its leading 0 or 1.
  package var lines: [String]

  package init(id: String, app: String, device: String, user: String? = nil, type: String, lines: [String]) {
    self.id = id
    self.app = app
    self.device = device
    self.user = user
    self.type = type
    self.lines = lines
  }
}

/// That an app runs on a device.
package struct AliveReport: Codable, Sendable, Equatable {
  package var id: String
  package var app: String
  package var version: String
  package var device: String
  package var user: String?
  package var system: String?
  /// Seconds since 1970, by the device's clock.
  package var time: Double
  /// The hotpatches that run, as `NAME@VERSION`; nil where that is not known.
  package var patches: [String]?

  package init(
    id: String, app: String, version: String, device: String, user: String? = nil, system: String? = nil, time: Double,
    patches: [String]? = nil
  ) {
    self.id = id
    self.app = app
    self.version = version
    self.device = device
    self.user = user
    self.system = system
    self.time = time
    self.patches = patches
  }
}
