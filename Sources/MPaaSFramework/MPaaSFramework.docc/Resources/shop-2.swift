import MPaaSFramework

final class Home: MicroAppDelegate {
  func applicationDidFinishLaunching(_ application: MicroApp) throws {
    print("home: welcome")
  }
}

final class Item: MicroAppDelegate {
  func application(_ application: MicroApp, willStartLaunchingWithOptions options: LaunchOptions) throws {
    let id = try options.parameters.value("id", as: Int.self)
    print("item: number \(id)")
  }
}

let table = RuntimeTable(
  launcher: "home",
  applications: [
    ApplicationEntry(name: "home", delegate: Home.self),
    ApplicationEntry(name: "item", delegate: Item.self),
  ])

let context = try MobileContext(table)
try await context.launch()
try context.start("item", parameters: ["id": "7"])
