import MPaaSFramework

/// The demo: greets whom it is told to, and again whenever it is started with another name.
///
/// The parameter `name` says who that is.
public final class DemoMicroApp: MicroAppDelegate {
  /// What it says at present; nil before it was started.
  public private(set) var greeting: Greeting?

  public init() {}

  public func application(
    _ application: MicroApp, willStartLaunchingWithOptions options: LaunchOptions
  ) throws {
    greeting = try greet(options["name"] ?? Self.stranger, by: application.services)
  }

  public func application(
    _ application: MicroApp, willResumeWithOptions options: LaunchOptions
  ) throws {
    guard let name = options["name"] else { return }
    greeting = try greet(name, by: application.services)
  }

  private static let stranger = "World"

  private func greet(_ name: String, by services: ServiceRegistry) throws -> Greeting {
    let service = try services.service(for: (any GreetingService).self)
    return service.greeting(for: name)
  }
}
