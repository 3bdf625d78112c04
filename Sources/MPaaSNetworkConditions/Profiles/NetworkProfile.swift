/// A kind of network by name: what its link does in each direction.
public struct NetworkProfile: Sendable, Hashable {
  /// Lower-case words with hyphens.
  public var name: String
  /// A sentence about it.
  public var title: String
  /// The source of its numbers.
  public var source: String
  /// The conditions of what comes from the server.
  public var downstream: [Condition]
  /// The conditions of what goes to the server.
  public var upstream: [Condition]
  /// The changes while it lasts, on top of the conditions.
  public var timeline: Timeline?

  /// Makes a profile, in which nothing is wrong unless conditions are given.
  public init(
    name: String, title: String = "", source: String = "", downstream: [Condition] = [], upstream: [Condition] = [],
    timeline: Timeline? = nil
  ) {
    self.name = name
    self.title = title
    self.source = source
    self.downstream = downstream
    self.upstream = upstream
    self.timeline = timeline
  }

  /// The profile as toxics, named `<type>_<stream>`, a second one of a type `<type>_<stream>_2`.
  public var toxics: [Toxic] {
    Toxic.distinctlyNamed(
      downstream.map { Toxic($0, direction: .downstream) } + upstream.map { Toxic($0, direction: .upstream) })
  }
}
