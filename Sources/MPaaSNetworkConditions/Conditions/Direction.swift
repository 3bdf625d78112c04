/// The direction of data through a proxy; the toxiproxy API calls it the stream.
public enum Direction: String, Sendable, Hashable, CaseIterable, Codable {
  /// From the client to the server.
  case upstream
  /// From the server to the client.
  case downstream

  /// The other direction.
  public var opposite: Direction { self == .upstream ? .downstream : .upstream }
}
