import MPaaSFramework

enum Increment: Message {
  typealias Input = Int
  typealias Output = Int
  static let name = "number.increment"
}

enum IncrementConcurrently: Message {
  typealias Input = Int
  typealias Output = Int
  static let name = "many.increment"
}

struct Numbers: MessageController {
  let prefix: String
  let delivery: MessageDelivery

  func register(_ handlers: inout MessageHandlers) {
    guard prefix == "number" else { return handlers.on(IncrementConcurrently.self) { number, _ in number + 1 } }
    handlers.on(Increment.self) { number, _ in number + 1 }
    handlers.on("number.values") { values, _ in ["number": (values["number"] as? Int ?? 0) + 1] }
    handlers.on("number.yield") { values, _ in
      await Task.yield()
      return values
    }
  }
}

/// A bit of the number of a module type.
protocol Bit {}
enum End: Bit {}
enum Zero<Rest: Bit>: Bit {}
enum One<Rest: Bit>: Bit {}

final class EmptyModule<Number: Bit>: FrameworkModule {}

final class EmptyService<Number: Bit>: MobileService { init(services: ServiceRegistry) {} }

/// As many different types of modules as wanted.
@MainActor func moduleTypes(_ count: Int) -> [any FrameworkModule.Type] {
  func module<Number: Bit>(_: Number.Type) -> any FrameworkModule.Type { EmptyModule<Number>.self }
  return numbers(count).map { module($0) }
}

/// As many different types of services as wanted.
@MainActor func serviceTypes(_ count: Int) -> [any MobileService.Type] {
  func service<Number: Bit>(_: Number.Type) -> any MobileService.Type { EmptyService<Number>.self }
  return numbers(count).map { service($0) }
}

/// The numbers from 1 as types, made from their bits.
private func numbers(_ count: Int) -> [any Bit.Type] {
  func zero<Rest: Bit>(_: Rest.Type) -> any Bit.Type { Zero<Rest>.self }
  func one<Rest: Bit>(_: Rest.Type) -> any Bit.Type { One<Rest>.self }
  func number(_ value: Int, _ rest: any Bit.Type) -> any Bit.Type {
    value == 0 ? rest : number(value / 2, value % 2 == 1 ? one(rest) : zero(rest))
  }
  return (1...count).map { number($0, End.self) }
}
