/// Greets people by the hour.
public struct Greeting: Sendable {
  /// From 0 to 23.
  public var hour: Int

  public init(hour: Int) {
    self.hour = hour
  }

  public var text: String {
    switch hour {
    case 5..<12: "Good morning"
    case 12..<18: "Good afternoon"
    default: "Good evening"
    }
  }
}
