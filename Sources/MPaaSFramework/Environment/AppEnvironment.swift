/// The world that an app talks to.
public enum AppEnvironment: String, Sendable, Hashable, CaseIterable {
  /// The developer's own: nothing in it counts.
  case development = "dev"
  case test
  /// What is to be released, before it is.
  case staging
  case release
}
