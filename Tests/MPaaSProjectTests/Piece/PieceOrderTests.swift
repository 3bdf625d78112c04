import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Parts of a project") struct PieceOrderTests {
  private static let manifest = """
    kind = "piece"
    [piece]
    suffix = "Service"
    folder = "Services/{{base_name}}"
    objc = true
    [[files]]
    path = "{{tests_path}}/**"
    when = "tests_path"
    [[register]]
    kind = "service"
    name = "{{camel(base_name)}}"
    class = "Default{{type_name}}"
    protocol = "{{type_name}}"
    lazyLoading = false
    """
  private static let files = [
    "{{place}}/{{type_name}}.swift.mustache": "// {{module}} {{name}}\n",
    "{{tests_path}}/{{type_name}}Tests.swift": "",
  ]

  private struct Sample {
    let templates: SampleTemplates
    let project: TemporaryFolder
    let template: Template

    init(_ manifest: String = PieceOrderTests.manifest, project files: [String: String]) throws {
      templates = try SampleTemplates()
      project = try TemporaryFolder()
      try templates.write("t", manifest, files: PieceOrderTests.files)
      template = try templates.shelf.template("t", kind: .piece)
      for (path, text) in files { try SampleTemplates.write(text, to: project.url.appending(path: path)) }
    }

    func order(
      _ name: String = "订单", place: String? = nil, isObjectiveC: Bool = false
    ) throws -> (order: PieceOrder, values: TemplateValues) {
      let name = try PieceName(name, suffix: template.manifest.piece.suffix)
      let layout = try ProjectLayout(root: project.path, place: place)
      let order = try PieceOrder(template, name: name, layout: layout, place: place, isObjectiveC: isObjectiveC)
      var builtIn = BuiltInVariables(name: try ProjectName("Shop"), year: "2026", kitVersion: "1.0.0")
      builtIn.isObjectiveC = isObjectiveC
      return (order, try order.builtIn(builtIn))
    }
  }

  private static let empty = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    </dict>
    </plist>

    """

  @Test("stand in the target's folder under the kind's own, with their tests, and say whose module they are")
  func places() throws {
    let sample = try Sample(project: ["Sources/Core/a": "", "Tests/CoreTests/b": ""])
    let (order, values) = try sample.order()
    #expect(values["place"] == .text("Sources/Core/Services/Dingdan"))
    #expect(values["tests_path"] == .text("Tests/CoreTests"))
    #expect(values["module"] == .text("Core"))
    #expect(values["self_registering"] == .flag(true))
    let changes = try order.changes(values, replaces: false)
    #expect(
      changes.changes.map(\.path) == [
        "Sources/Core/Services/Dingdan/DingdanService.swift", "Tests/CoreTests/DingdanServiceTests.swift",
      ])
    #expect(changes.changes.allSatisfy { $0.kind == .created })
  }

  @Test("stand where somebody says, and without tests where the target has none")
  func place() throws {
    let sample = try Sample(project: ["Sources/Core/a": ""])
    let (order, values) = try sample.order(place: "Elsewhere/中文")
    #expect(values["place"] == .text("Elsewhere/中文"))
    let paths = try order.changes(values, replaces: false).changes.map(\.path)
    #expect(paths == ["Elsewhere/中文/DingdanService.swift"])
  }

  @Test("are entered into the runtime file, once, and nothing changes the second time")
  func registered() throws {
    let file = "Sources/Core/MobileRuntime.plist"
    let sample = try Sample(project: ["Sources/Core/a": "", file: Self.empty])
    let (order, values) = try sample.order("orders")
    #expect(values["self_registering"] == .flag(false))
    let changes = try order.changes(values, replaces: false)
    #expect(changes.changes.last?.path == file)
    #expect(changes.changes.last?.kind == .edited)
    try changes.apply()
    let text = try String(contentsOfFile: sample.project.path + "/" + file, encoding: .utf8)
    for part in ["<string>orders</string>", "<string>DefaultOrdersService</string>", "<string>OrdersService</string>"] {
      #expect(text.contains(part), "\(text)")
    }
    let again = try order.changes(values, replaces: false)
    #expect(again.changes.map(\.kind).allSatisfy { $0 == .unchanged }, "\(again.changes.map(\.kind))")
    #expect(again.isEmpty)
  }

  @Test("leave a runtime file that cannot be read as it is, and say where it is wrong")
  func malformed() throws {
    let file = "Sources/Core/MobileRuntime.plist"
    let sample = try Sample(project: [file: "<plist><dict><key>a"])
    let (order, values) = try sample.order()
    #expect(throws: TemplateError.self) { try order.changes(values, replaces: false) }
    #expect(try String(contentsOfFile: sample.project.path + "/" + file, encoding: .utf8) == "<plist><dict><key>a")
    #expect(FileStatus(sample.project.path + "/Sources/Core/Services") == nil)
  }

  @Test("are refused where they have no place, and in Objective-C where the kind has none or the project no app")
  func refused() throws {
    let bare = try Sample(project: ["README": ""])
    #expect(TemplateRenderingTests.code { _ = try bare.order() } == "piece-no-place")
    let core = try Sample(project: ["Sources/Core/a": ""])
    #expect(TemplateRenderingTests.code { _ = try core.order(isObjectiveC: true) } == "piece-no-place")
    let swift = try Sample(
      Self.manifest.replacing("objc = true", with: "objc = false"), project: ["Sources/Core/a": ""])
    #expect(TemplateRenderingTests.code { _ = try swift.order(isObjectiveC: true) } == "piece-no-objc")
    #expect(TemplateRenderingTests.code { _ = try swift.order("string/", place: "x") } == "project-name-separator")
  }

  @Test("keep files of the same name that differ, and replace them where that is asked for")
  func kept() throws {
    let path = "Sources/Core/Services/Orders/OrdersService.swift"
    let sample = try Sample(project: ["Sources/Core/a": "", path: "mine\n"])
    let (order, values) = try sample.order("OrdersService")
    #expect(try order.changes(values, replaces: false).changes.map(\.kind) == [.kept])
    #expect(try order.changes(values, replaces: true).changes.map(\.kind) == [.replaced])
  }
}

@Suite("Names of parts") struct PieceNameTests {
  @Test(
    "are the same with and without the word that their kind ends in",
    arguments: ["orders", "Order list", "订单", "café", "2048", "my-app", "iOS小店"])
  func suffix(text: String) throws {
    let plain = try PieceName(text, suffix: "MicroApp")
    #expect(plain.type == plain.base + "MicroApp")
    #expect(try PieceName(plain.type, suffix: "MicroApp") == plain)
    #expect(try PieceName(plain.base, suffix: "MicroApp") == plain)
    #expect(SwiftWords.isTypeName(plain.type))
  }

  @Test(
    "without letters that Swift knows, or that a type cannot have, are refused with one that can",
    arguments: [
      ("アプリ", "Service", "OrdersService"), ("🚀", "", "Orders"), ("string", "", "StringItem"), ("Any", "", "AnyItem"),
      (String(repeating: "a", count: 61), "Service", nil),
    ] as [(String, String, String?)])
  func refused(text: String, suffix: String, suggestion: String?) {
    let error = #expect(throws: TemplateError.self) { try PieceName(text, suffix: suffix) }
    #expect(error?.code == .identifierWrong)
    if let suggestion { #expect(error?.values["suggestion"] == suggestion) }
  }

  @Test("of any characters are refused or make types that Swift takes")
  func fuzz() {
    var random = SeededRandom(seed: 44)
    let letters = Array("abcXYZ09 -_.é中订单アö🙂'")
    var made = 0
    for _ in 0..<SeededRandom.rounds(or: 600) {
      let text = String(
        (0..<Int.random(in: 1..<9, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
      guard let name = try? PieceName(text, suffix: "Service") else { continue }
      made += 1
      #expect(SwiftWords.isTypeName(name.type), "\(text)")
      #expect(name.type.hasSuffix("Service"), "\(text)")
    }
    #expect(made > 300)
  }
}
