import MPaaSFramework

/// Answers the messages of greetings, from whichever part of the app they come.
public final class GreetingModule: FrameworkModule {
  public init() {}

  public func setUp(in context: MobileContext) throws {
    let service = try context.service(for: (any GreetingService).self)
    try context.messages.attach(GreetingController(service: service))
  }
}

/// Asks for the greeting of a name.
public enum SayGreeting: Message {
  public typealias Input = String
  public typealias Output = Greeting

  public static let name = "greeting.say"
  public static let timeout: TimeSpan? = .seconds(5)
}

struct GreetingController: MessageController {
  let prefix = "greeting"
  let service: any GreetingService

  func register(_ handlers: inout MessageHandlers) {
    handlers.on(SayGreeting.self) { [service] name, _ in service.greeting(for: name) }
  }
}
