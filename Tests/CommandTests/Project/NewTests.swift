import Foundation
import MPaaSTestSupport
import Testing

/// A project as the kit's own templates lay it out, without what it is not about.
struct PieceHome {
  let home: TemporaryFolder
  static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>Applications</key>
    \t<array/>
    </dict>
    </plist>

    """

  init() throws {
    home = try TemporaryFolder()
    try write(
      "Shop/.mpaas/template.toml", "template = \"tabs\"\n[values]\nname = \"Shop\"\nname_identifier = \"Shop\"\n")
    try write("Shop/Sources/ShopCore/MobileRuntime.plist", Self.plist)
    try write("Shop/Sources/ShopHeadless/main.swift", "")
    try write("Shop/Tests/ShopCoreTests/T.swift", "")
    try write("Shop/App/Shop/ShopApp.swift", "")
    try write("Shop/App/ShopTests/T.swift", "")
  }

  func write(_ path: String, _ text: String) throws {
    let url = home.url.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func text(_ path: String) -> String? { try? String(contentsOf: home.url.appending(path: path), encoding: .utf8) }

  func run(_ arguments: [String], in folder: String = "Shop") throws -> Command.Outcome {
    // The kit is the checkout that the program was built in.
    try Command.run(
      "mpaas", arguments, environment: ["MPAAS_HOME": home.path + "/home", "LC_ALL": "C"],
      directory: home.url.appending(path: folder))
  }

  var paths: Set<String> {
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: home.path)) ?? []
    return Set(all.filter { FileManager.default.contents(atPath: home.path + "/" + $0) != nil })
  }
}

@Suite("mpaas new") struct NewTests {
  @Test(
    "places, registers and tests each kind; the second time changes nothing",
    arguments: [
      (
        "micro-app", "orders",
        ["Sources/ShopCore/Applications/Orders/OrdersMicroApp.swift", "Tests/ShopCoreTests/OrdersMicroAppTests.swift"],
        "OrdersMicroApp"
      ),
      (
        "service", "OrdersService",
        [
          "Sources/ShopCore/Services/OrdersService.swift", "Sources/ShopCore/Services/DefaultOrdersService.swift",
          "Tests/ShopCoreTests/OrdersServiceTests.swift",
        ], "DefaultOrdersService"
      ),
      (
        "module", "orders",
        ["Sources/ShopCore/Modules/OrdersModule.swift", "Tests/ShopCoreTests/OrdersModuleTests.swift"], "OrdersModule"
      ),
      ("model", "order", ["Sources/ShopCore/Models/Order.swift", "Tests/ShopCoreTests/OrderTests.swift"], nil),
      (
        "singleton", "counter", ["Sources/ShopCore/Shared/Counter.swift", "Tests/ShopCoreTests/CounterTests.swift"], nil
      ),
      (
        "interceptor", "token",
        ["Sources/ShopCore/Interceptors/TokenInterceptor.swift", "Tests/ShopCoreTests/TokenInterceptorTests.swift"], nil
      ),
      (
        "dao", "order",
        [
          "Sources/ShopCore/Models/OrderRecord.swift", "DAO/OrderDAO.xml", "Tests/ShopCoreTests/OrderRecordTests.swift",
        ], nil
      ),
      (
        "view-controller", "orders",
        ["App/Shop/Screens/OrdersViewController.swift", "App/ShopTests/OrdersViewControllerTests.swift"], nil
      ),
    ] as [(String, String, [String], String?)])
  func kinds(kind: String, name: String, files: [String], registered: String?) throws {
    let sample = try PieceHome()
    let before = sample.paths
    let planned = try sample.run(["new", kind, name, "--dry-run"])
    #expect(planned.status == 0, "\(planned)")
    #expect(planned.output.contains("+++ b/\(files[0])"), "\(planned)")
    #expect(sample.paths == before)
    let made = try sample.run(["new", kind, name, "--json"], in: "Shop/Sources")
    #expect(made.status == 0, "\(made)")
    #expect(sample.paths.subtracting(before) == Set(files.map { "Shop/" + $0 }))
    for file in files { #expect(sample.text("Shop/" + file)?.contains("{{") == false, "\(file)") }
    let table = sample.text("Shop/Sources/ShopCore/MobileRuntime.plist") ?? ""
    #expect(registered.map { table.contains("<string>\($0)</string>") } ?? (table == PieceHome.plist))
    let again = try sample.run(["new", kind, name, "--json"])
    #expect(again.status == 0, "\(again)")
    #expect(try (json(again.output)["changed"] as? Bool) == false, "\(again)")
    #expect(sample.text("Shop/Sources/ShopCore/MobileRuntime.plist") == table)
  }

  @Test("leaves files alone that somebody changed, unless --force says otherwise")
  func kept() throws {
    let sample = try PieceHome()
    #expect(try sample.run(["new", "model", "Order"]).status == 0)
    try sample.write("Shop/Sources/ShopCore/Models/Order.swift", "// mine\n")
    let again = try sample.run(["new", "model", "Order"])
    #expect(again.status == 0)
    #expect(again.output.contains("kept as it is"))
    #expect(sample.text("Shop/Sources/ShopCore/Models/Order.swift") == "// mine\n")
    #expect(try sample.run(["new", "model", "Order", "--force"]).status == 0)
    #expect(sample.text("Shop/Sources/ShopCore/Models/Order.swift")?.contains("struct Order") == true)
  }

  @Test("makes Objective-C where the kind has it")
  func objectiveC() throws {
    let sample = try PieceHome()
    #expect(try sample.run(["new", "view-controller", "orders", "--objc"]).status == 0)
    #expect(
      sample.text("Shop/App/Shop/Screens/OrdersViewController.m")?.contains("@implementation OrdersViewController")
        == true)
    #expect(sample.text("Shop/App/Shop/Screens/OrdersViewController.swift") == nil)
    let refused = try sample.run(["new", "service", "orders", "--objc", "--json"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("piece-no-objc"))
  }

  @Test("works in a project of another make with --in, where the sources register themselves")
  func foreign() throws {
    let sample = try PieceHome()
    try sample.write("Other/Package.swift", "")
    try sample.write("Other/Sources/A/a.swift", "")
    try sample.write("Other/Sources/B/b.swift", "")
    let lost = try sample.run(["new", "micro-app", "orders", "--json"], in: "Other")
    #expect(lost.status == 64, "\(lost)")
    #expect(lost.errors.contains("piece-no-place"), "\(lost)")
    let made = try sample.run(["new", "micro-app", "orders", "--in", "Sources/A/Features"], in: "Other")
    #expect(made.status == 0, "\(made)")
    let text = sample.text("Other/Sources/A/Features/OrdersMicroApp.swift")
    #expect(text?.contains("OrdersMicroApp: RegisteredApplication") == true)
    let nowhere = try sample.run(["new", "model", "order", "--json"], in: ".")
    #expect(nowhere.status == 66, "\(nowhere)")
    #expect(nowhere.errors.contains("piece-no-project"), "\(nowhere)")
    let outside = try sample.run(["new", "model", "order", "--project", ".", "--in", "../Shop", "--json"], in: "Other")
    #expect(outside.status == 77, "\(outside)")
    #expect(outside.errors.contains("template-path"), "\(outside)")
  }

  @Test("refuses a name that another class has, and leaves nothing")
  func taken() throws {
    let sample = try PieceHome()
    let table = PieceHome.plist.replacingOccurrences(
      of: "<array/>",
      with: "<array><dict><key>name</key><string>orders</string><key>delegate</key><string>Old</string></dict></array>")
    try sample.write("Shop/Sources/ShopCore/MobileRuntime.plist", table)
    let before = sample.paths
    let outcome = try sample.run(["new", "micro-app", "orders", "--json"])
    #expect(outcome.status == 65, "\(outcome)")
    #expect(outcome.errors.contains("runtime-name-taken"), "\(outcome)")
    #expect(sample.paths == before)
  }

  @Test("lists its kinds, and needs a kind and a name")
  func list() throws {
    let sample = try PieceHome()
    let list = try sample.run(["new", "--list"]).output
    for kind in ["micro-app", "service", "module", "view-controller", "singleton", "interceptor", "model", "dao"] {
      #expect(list.contains(kind))
    }
    #expect(try sample.run(["new", "service"]).status == 64)
    let near = try sample.run(["new", "servise", "x", "--json"])
    #expect(near.status == 66)
    #expect(near.errors.contains("template-unknown-near"))
  }

  @Test("the kit's own templates have nothing wrong with them")
  func own() throws {
    let sample = try PieceHome()
    let root = Fixture.package.appending(path: "templates").path
    for folder in ["base", "tabs", "single", "framework"]
      + (try FileManager.default.contentsOfDirectory(atPath: root + "/pieces")).map({ "pieces/" + $0 })
    {
      let checked = try sample.run(["template", "check", root + "/" + folder, "--strict"])
      #expect(checked.status == 0, "\(folder): \(checked.output)\(checked.errors)")
    }
  }
}
