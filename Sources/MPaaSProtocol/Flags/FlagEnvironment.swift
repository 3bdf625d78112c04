/// An environment of an app, such as `production`, whose flags have a history of their own.
package struct FlagEnvironment: Codable, Sendable, Equatable {
  /// The environment of requests that name none.
  package static let usual = "production"

  package var app: String
  package var name: String
  /// The number of the newest version.
  package var version: Int
  /// Seconds since 1970.
  package var updated: Double
  package var flags: Int
  package var segments: Int

  package init(app: String, name: String, version: Int, updated: Double, flags: Int, segments: Int) {
    self.app = app
    self.name = name
    self.version = version
    self.updated = updated
    self.flags = flags
    self.segments = segments
  }
}

package struct FlagEnvironmentPage: Codable, Sendable, Equatable {
  package var environments: [FlagEnvironment]

  package init(environments: [FlagEnvironment]) { self.environments = environments }
}

/// The wish for an environment.
package struct FlagEnvironmentWish: Codable, Sendable, Equatable {
  package var name: String
  /// The environment whose flags it begins with.
  package var copy: String?

  package init(name: String, copy: String? = nil) {
    self.name = name
    self.copy = copy
  }
}

/// The evaluations of a flag that clients told of.
package struct FlagUsage: Codable, Sendable, Equatable {
  package var flag: String
  package var yes: Int64
  package var no: Int64
  /// The hour of the last evaluation, in seconds since 1970.
  package var last: Double

  package init(flag: String, yes: Int64, no: Int64, last: Double) {
    self.flag = flag
    self.yes = yes
    self.no = no
    self.last = last
  }
}

package struct FlagUsagePage: Codable, Sendable, Equatable {
  package var usage: [FlagUsage]

  package init(usage: [FlagUsage]) { self.usage = usage }
}
