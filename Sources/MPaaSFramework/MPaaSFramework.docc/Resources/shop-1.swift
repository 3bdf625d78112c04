import MPaaSFramework

final class Home: MicroAppDelegate {
  func applicationDidFinishLaunching(_ application: MicroApp) throws {
    print("home: welcome")
  }
}

let table = RuntimeTable(
  launcher: "home",
  applications: [ApplicationEntry(name: "home", delegate: Home.self)])

let context = try MobileContext(table)
try await context.launch()
