import MPaaSFramework
import MPaaSTestSupport
import Testing

@Suite("URLs") struct AppURLTests {
  @Test("are read into their parts, percent signs resolved")
  func parts() throws {
    let url = try AppURL("Shop://Item.example:8080/a%20b//%E4%B8%AD?q=1+2&q=3&flag&x=%3D#end%21")
    #expect(url.scheme == "shop")
    #expect(url.host == "item.example:8080")
    #expect(url.path == ["a b", "中"])
    #expect(url.fragment == "end!")
    #expect(url.query.map(\.name) == ["q", "q", "flag", "x"])
    #expect(url.query.map(\.value) == ["1 2", "3", "", "="])
    #expect(url.parameters["q"] as? [String] == ["1 2", "3"])
  }

  @Test("need no host")
  func noHost() throws {
    let url = try AppURL("mailto:someone@example.com")
    #expect(url.host == nil)
    #expect(url.path == ["someone@example.com"])
  }

  @Test(
    "that are none are refused with what is wrong",
    arguments: [
      ("", "scheme"), ("cart", "scheme"), ("1a://x", "scheme"), ("a b://x", "scheme"), ("x://%", "%"), ("x://%4", "%"),
      ("x://%GG", "%"), ("x://%FF", "UTF-8"),
    ])
  func malformed(_ text: String, _ part: String) {
    let error = #expect(throws: FrameworkError.self) { try AppURL(text) }
    #expect(error?.code == .routeURLMalformed)
    #expect(error?.values["part"] == part)
  }

  @Test("of any bytes are read or refused, never more")
  func fuzz() {
    var random = SeededRandom(seed: 6)
    let seed = Array("shop://item/42?from=cart&tag=%E4%B8%AD#x".utf8)
    for _ in 0..<SeededRandom.rounds(or: 2_000) {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : UInt8(ascii: "%")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let url = try? AppURL(text) else { continue }
      #expect(url.text == text)
      #expect(!url.scheme.isEmpty)
    }
  }
}

@Suite("Routes") @MainActor struct RouteTests {
  struct ItemParameters: Decodable, Equatable {
    enum Kind: String, Decodable { case book, toy }
    let id: Int
    let kind: Kind?
    let tags: [String]?
    let isNew: Bool?
  }

  @Test(
    "patterns fit scheme, host and path, and name the parts",
    arguments: [
      ("shop://item/{id}", "shop://item/42", ["id": "42"]), ("SHOP://Item/{id}", "shop://ITEM/42", ["id": "42"]),
      ("/item/{id}/edit", "any://host/item/7/edit", ["id": "7"]), ("*://item", "x://item", [:]),
      ("shop://*/files/{path*}", "shop://a/files/b/c%20d", ["path": "b/c d"]),
    ])
  func patterns(_ pattern: String, _ url: String, _ values: [String: String]) throws {
    #expect(try RoutePattern(pattern).match(AppURL(url)) == values)
  }

  @Test(
    "patterns that do not fit give nothing",
    arguments: [
      ("shop://item/{id}", "shop://item"), ("shop://item/{id}", "shop://item/1/2"), ("shop://item", "mall://item"),
      ("shop://item", "shop://cart"), ("/item/{id}/edit", "any://host/item/7/show"),
    ])
  func noMatch(_ pattern: String, _ url: String) throws {
    #expect(try RoutePattern(pattern).match(AppURL(url)) == nil)
  }

  @Test("patterns that cannot be are refused", arguments: ["item", "/a/{}", "/{a}/{a}", "/{rest*}/more", "/{*}"])
  func malformed(_ pattern: String) {
    let error = #expect(throws: FrameworkError.self) { try RoutePattern(pattern) }
    #expect(error?.code == .routePatternMalformed)
  }

  @Test("parameters of path and query are read as the app's type")
  func typed() throws {
    let context = try MobileContext()
    var got: [ItemParameters] = []
    try context.routes.add("shop://item/{id}", ItemParameters.self) { parameters, _ in got.append(parameters) }
    #expect(try context.open("shop://item/42?kind=toy&tags=a&tags=b&isNew=yes&other=1") == "shop://item/{id}")
    try context.open("shop://item/7?tags=one")
    #expect(
      got == [
        ItemParameters(id: 42, kind: .toy, tags: ["a", "b"], isNew: true),
        ItemParameters(id: 7, kind: nil, tags: ["one"], isNew: nil),
      ])
  }

  @Test(
    "a value that is missing or of another type is named, with the route's line",
    arguments: [
      ("shop://item/x", "id", "parameter-malformed"), ("shop://item/1?kind=car", "kind", "parameter-malformed"),
      ("shop://item/1?isNew=maybe", "isNew", "parameter-malformed"), ("shop://items", "id", "parameter-missing"),
      ("shop://item/99999999999999999999", "id", "parameter-malformed"),
      ("shop://item/1?kind=toy&kind=book", "kind", "parameter-malformed"),
    ])
  func badParameters(_ url: String, _ parameter: String, _ code: String) throws {
    let context = try MobileContext()
    try context.routes.add("shop://item/{id}", ItemParameters.self, file: "Routes.swift", line: 3) { _, _ in }
    try context.routes.add("shop://items", ItemParameters.self, file: "Routes.swift", line: 3) { _, _ in }
    let error = #expect(throws: FrameworkError.self) { try context.open(url) }
    #expect(error?.code.id == code)
    #expect(error?.values["parameter"] == parameter)
    #expect(error?.place == SourcePlace("Routes.swift", line: 3))
    #expect(error?.subject == .route(url))
  }

  final class First: SchemeHandler {
    init() {}
    static func canHandle(_ url: AppURL) -> Bool { url.scheme == "shop" }
    func handle(_ request: RouteRequest, in context: MobileContext) throws -> Bool { request.url["first"] != nil }
  }
  final class Second: SchemeHandler {
    init() {}
    static func canHandle(_ url: AppURL) -> Bool { url.scheme == "shop" }
    func handle(_ request: RouteRequest, in context: MobileContext) throws -> Bool {
      if request.url["broken"] != nil { throw Broken() }
      return request.userInfo["from"] as? String != "nobody"
    }
  }

  @Test("classes are asked in their order; one may pass a URL on")
  func order() throws {
    let context = try MobileContext()
    context.routes.register(First.self)
    context.routes.register(Second.self)
    #expect(try context.open("shop://a?first") == "First")
    #expect(try context.open("shop://a") == "Second")
    let unhandled = #expect(throws: FrameworkError.self) { try context.open("shop://a", userInfo: ["from": "nobody"]) }
    #expect(unhandled?.code == .routeUnhandled)
    let failed = #expect(throws: FrameworkError.self) { try context.open("shop://a?broken") }
    #expect(failed?.code == .routeFailed)
    #expect(failed?.underlying is Broken)
    #expect(failed?.place != nil)
    context.routes.unregister(Second.self)
    #expect(throws: FrameworkError.self) { try context.open("shop://a") }
  }

  @Test("a micro-app is started by URL, with the rest of the query as its parameters")
  func startApp() throws {
    try withProbes("home", "cart") { context, recorder in
      try context.start("home")
      _ = recorder.take()
      try context.open("demo://platformapi/startapp?appId=cart&id=42")
      #expect(recorder.take().contains("cart.willStart(id=42)"))
      #expect(context.names == ["home", "cart"])
      let error = #expect(throws: FrameworkError.self) { try context.open("demo://platformapi/startapp?appId=none") }
      #expect(error?.code == .applicationUnknown)
    }
  }

  @Test("the same pattern twice is refused; a route can be taken out")
  func twice() throws {
    let context = try MobileContext()
    try context.routes.add("/a") { _, _ in }
    let error = #expect(throws: FrameworkError.self) { try context.routes.add("/a") { _, _ in } }
    #expect(error?.code == .routeRegisteredTwice)
    context.routes.remove("/a")
    try context.routes.add("/a") { _, _ in }
  }
}

extension ExportedMethod where Input == Int, Output == String {
  static var spell: Self { .init("numbers.spell") }
}

@Suite("Exported methods") struct ExportedMethodTests {
  private func methods() async throws -> ExportedMethods {
    let methods = try await MobileContext().methods
    try methods.export(.spell, file: "Numbers.swift", line: 8) { number in
      if number < 0 { throw Broken() }
      return "number \(number)"
    }
    return methods
  }

  @Test("are called by their declaration and by name")
  func call() async throws {
    let methods = try await methods()
    #expect(try await methods.call(.spell, 7) == "number 7")
    #expect(try await methods.call("numbers.spell", 8, returning: String.self) == "number 8")
    #expect(methods.list.map(\.name) == ["numbers.spell"])
  }

  @Test("of other types are refused with the line of the export")
  func types() async throws {
    let methods = try await methods()
    let input = await #expect(throws: FrameworkError.self) {
      try await methods.call("numbers.spell", "7", returning: String.self)
    }
    #expect(input?.code == .methodTypeMismatch)
    #expect(input?.place == SourcePlace("Numbers.swift", line: 8))
    #expect(input?.values["given"] == "String")
    #expect(input?.values["expected"] == "Int")
    let output = await #expect(throws: FrameworkError.self) {
      try await methods.call("numbers.spell", 7, returning: Int.self)
    }
    #expect(output?.code == .methodTypeMismatch)
  }

  @Test("that are unknown, taken, misnamed or throw are reported")
  func errors() async throws {
    let methods = try await methods()
    let unknown = await #expect(throws: FrameworkError.self) {
      try await methods.call("numbers.spel", 7, returning: String.self)
    }
    #expect(unknown?.code == .methodUnknown)
    #expect(unknown?.description.contains("(numbers.spell?)") == true)
    let taken = #expect(throws: FrameworkError.self) { try methods.export(.spell) { _ in "" } }
    #expect(taken?.code == .methodRegisteredTwice)
    #expect(taken?.place?.line == 8)
    let misnamed = #expect(throws: FrameworkError.self) {
      try methods.export("spell") { (number: Int) in "\(number)" }
    }
    #expect(misnamed?.code == .methodNameMalformed)
    let failed = await #expect(throws: FrameworkError.self) { try await methods.call(.spell, -1) }
    #expect(failed?.code == .methodFailed)
    #expect(failed?.underlying is Broken)
    methods.withdraw("numbers.spell")
    await #expect(throws: FrameworkError.self) { try await methods.call(.spell, 1) }
  }
}
