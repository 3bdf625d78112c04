import Foundation
import MPaaSFramework

/// Greets by the time of day.
public final class ClockGreetingService: MobileService, GreetingService {
  private let hour: @Sendable () -> Int

  public convenience init(services: ServiceRegistry) {
    self.init { Calendar.current.component(.hour, from: Date()) }
  }

  /// - Parameter hour: The hour of the day, 0 to 23.
  public init(hour: @escaping @Sendable () -> Int) {
    self.hour = hour
  }

  public func greeting(for name: String) -> Greeting {
    let partOfDay: Greeting.PartOfDay =
      switch hour() {
      case 5..<12: .morning
      case 12..<18: .afternoon
      default: .evening
      }
    return Greeting(name: name, partOfDay: partOfDay)
  }
}
