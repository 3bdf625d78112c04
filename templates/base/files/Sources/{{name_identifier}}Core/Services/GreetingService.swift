/// Knows how people are greeted.
public protocol GreetingService: Sendable {
  func greeting(for name: String) -> Greeting
}

/// A greeting; screens say it in the language of their reader.
public struct Greeting: Sendable, Hashable {
  public enum PartOfDay: String, Sendable, Hashable, CaseIterable {
    case morning
    case afternoon
    case evening
  }

  public var name: String
  public var partOfDay: PartOfDay

  public init(name: String, partOfDay: PartOfDay) {
    self.name = name
    self.partOfDay = partOfDay
  }
}

extension Greeting: CustomStringConvertible {
  public var description: String { "Good \(partOfDay), \(name)!" }
}
