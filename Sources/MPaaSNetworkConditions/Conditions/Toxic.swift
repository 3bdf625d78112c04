/// A condition on one direction of a proxy, by a name; the word is that of the toxiproxy API.
public struct Toxic: Sendable, Hashable {
  /// Unique among the toxics of a proxy; by default `<type>_<stream>`.
  public var name: String
  public var direction: Direction
  /// The share of the connections that it touches, 0 to 1; drawn once for each connection.
  public var toxicity: Double
  public var condition: Condition

  public init(
    name: String? = nil, _ condition: Condition, direction: Direction = .downstream, toxicity: Double = 1
  ) {
    self.name = name ?? "\(condition.kind.rawValue)_\(direction.rawValue)"
    self.direction = direction
    self.toxicity = toxicity
    self.condition = condition
  }
}
