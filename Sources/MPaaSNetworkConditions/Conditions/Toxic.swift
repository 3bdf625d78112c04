/// A condition on one direction of a proxy, by a name; the word is that of the toxiproxy API.
public struct Toxic: Sendable, Hashable {
  /// Unique among the toxics of a proxy; by default `<type>_<stream>`.
  public var name: String
  /// The direction that the condition is in force in.
  public var direction: Direction
  /// The share of the connections that it touches, 0 to 1; drawn once for each connection.
  public var toxicity: Double
  /// The condition that is in force.
  public var condition: Condition

  /// Makes a toxic: for what comes from the server, on all connections, unless told otherwise.
  public init(
    name: String? = nil, _ condition: Condition, direction: Direction = .downstream, toxicity: Double = 1
  ) {
    self.name = name ?? "\(condition.kind.rawValue)_\(direction.rawValue)"
    self.direction = direction
    self.toxicity = toxicity
    self.condition = condition
  }
}
