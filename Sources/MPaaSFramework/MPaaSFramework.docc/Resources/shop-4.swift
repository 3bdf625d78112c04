import MPaaSFramework
import Synchronization

protocol CartService: MobileService {
  var items: [Int] { get }
  func add(_ item: Int)
}

final class Cart: CartService {
  private let content = Mutex<[Int]>([])

  init(services: ServiceRegistry) throws {}

  var items: [Int] { content.withLock { $0 } }

  func add(_ item: Int) { content.withLock { $0.append(item) } }
}

final class Home: MicroAppDelegate {
  func applicationDidFinishLaunching(_ application: MicroApp) throws {
    print("home: welcome")
  }

  func applicationDidResume(_ application: MicroApp) throws {
    let cart = try application.services.service(for: (any CartService).self)
    print("home: \(cart.items.count) items in the cart")
  }
}

final class Item: MicroAppDelegate {
  func application(_ application: MicroApp, willStartLaunchingWithOptions options: LaunchOptions) throws {
    let id = try options.parameters.value("id", as: Int.self)
    try application.services.service(for: (any CartService).self).add(id)
    print("item: number \(id)")
  }
}

let table = RuntimeTable(
  launcher: "home",
  applications: [
    ApplicationEntry(name: "home", delegate: Home.self),
    ApplicationEntry(name: "item", delegate: Item.self),
  ],
  services: [ServiceEntry(name: "cart", type: Cart.self, interface: (any CartService).self)])

let context = try MobileContext(table)
try await context.launch()
try context.start("item", parameters: ["id": "7"])
try context.current?.exit()
