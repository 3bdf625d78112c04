import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Literals that are keys by the types around them") struct SwiftContextTests {
  private func keys(_ text: String) -> [String] {
    extracted(text, .swift, ExtractionOptions(includesSwiftUI: true)).keys
  }

  @Test("are arguments of functions, initializers and cases that the sources declare with keys")
  func arguments() {
    let found = keys(
      """
      func show(_ title: LocalizedStringKey, name: String, note: LocalizedStringResource? = nil) {}
      struct Row: View { let title: LocalizedStringKey; var text: String; var tags: [LocalizedStringKey] = [] }
      enum Step { case first(LocalizedStringResource, id: String) }
      class Card { init(_ title: LocalizedStringResource, kind: String) {} }
      show("a", name: "no", note: flag ? "b" : "c"); show(("d"), name: f("no"))
      let row = Row(title: "e", text: "no", tags: ["f", "g"]); let step = Step.first("h", id: "no")
      let card = Card("i", kind: "no"), other = Card.init("j", kind: "no"); let third: Card = .init("k", kind: "no")
      """)
    #expect(found == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"])
  }

  @Test("are what functions, properties and closures give back, in conditions and cases too")
  func results() {
    let found = keys(
      """
      enum Kind { case a, b
        var title: LocalizedStringKey { switch self { case .a: "a"; case .b: return isOn ? "b" : "c" } }
        var name: String { switch self { case .a: "no"; default: return "no" } }
        func text(_ n: Int) -> LocalizedStringResource { if n > 1 { return "d" } else { let x = "no"; print("no"); return "e" } }
        static let all: [Kind: LocalizedStringKey] = [.a: "f", .b: "g"]
        var stored: LocalizedStringKey = "h" { didSet { print("no") } }
        var made: LocalizedStringKey = { "i" }()
        var both: LocalizedStringKey { get { "j" } set { log("no") } }
      }
      """)
    #expect(found == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
  }

  @Test("are values that variables of a key's type get, later ones too, and what stands behind `??`")
  func values() {
    let found = keys(
      """
      var title: LocalizedStringKey? ; var list: [LocalizedStringResource] = ["a", "b"]
      title = "c"; self.title = isOn ? "d" : nil; let own: LocalizedStringKey = title ?? "e"
      let made: LocalizedStringKey = .init("f"); var text: String = "no"; text = "no"
      func f(_ title: LocalizedStringKey = "g", name: String = "no") {}
      extension LocalizedStringResource { static let own: Self = "h" }; extension String { static let x: Self = "no" }
      """)
    #expect(found == ["a", "b", "c", "d", "e", "f", "g", "h"])
  }

  @Test("are what App Intents and shortcuts show")
  func appIntents() {
    let found = keys(
      """
      struct Open: AppIntent {
        static let title: LocalizedStringResource = "a"
        static let description = IntentDescription("b", categoryName: "c")
        @Parameter(title: "d", requestValueDialog: "e") var name: String
        static var parameterSummary: some ParameterSummary { Summary("f \\(\\.$name)") }
        func perform() async throws -> some IntentResult { .result(dialog: "g") }
      }
      enum Size: String, AppEnum {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "h"
        static let caseDisplayRepresentations: [Size: DisplayRepresentation] = [.a: "i", .b: .init(title: "j", subtitle: "k")]
      }
      struct Shortcuts: AppShortcutsProvider { static var appShortcuts: [AppShortcut] {
        AppShortcut(intent: Open(), phrases: ["no \\(.applicationName)"], shortTitle: "l", systemImageName: "no") } }
      """.replacing("\\\\", with: "\\"))
    #expect(found == ["a", "b", "c", "d", "e", "f ${name}", "g", "h", "i", "j", "k", "l"])
  }

  @Test(
    "are prompts of searches, labels of charts where Charts is imported, and what a closure in a modifier gives back")
  func swiftUI() {
    let text = """
      list.searchable(text: $text, prompt: "a").help({ isOn ? "b" : "c" }())
      BarMark(x: .value("d", day)); item.value("e", forKey: "no")
      """
    #expect(keys("import Charts\n" + text) == ["a", "b", "c", "d"])
    #expect(keys(text) == ["a", "b", "c"])
  }

  @Test("are no keys where a function takes a String too, or a type of the app has the name of a view")
  func strings() {
    let found = keys(
      """
      struct Tab { init(_ name: String) {} }
      struct Card<T> { init(_ title: String) {}; init(_ title: LocalizedStringKey) {} }
      Tab("no"); Card("no"); SwiftUI.Tab("a"); Text("b"); Text("n" + "o"); Text(.init("c"))
      """)
    #expect(found == ["a", "b", "c"])
  }

  @Test("are declared in other files, and in packages whose own texts do not count")
  func files() throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ text: String) throws {
      let file = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try write("App/A.swift", #"func a() { banner("a"); Notice(text: "b", id: "no"); Text("c") }"#)
    try write(
      "App/B.swift", "func banner(_ text: LocalizedStringKey) {}; private struct Text { init(_ x: String) {} }")
    try write(
      "Kit/K.swift",
      """
      public struct Notice {
        public init(text: LocalizedStringResource, id: String) { x = String(localized: "no") }
      }
      """)
    let app = try SourceFiles([folder.path + "/App"])
    let options = ExtractionOptions(includesSwiftUI: true)
    #expect(try app.texts(options).keys == ["a", "c"])
    let kit = try SourceFiles([folder.path + "/Kit"])
    #expect(try app.texts(options, packages: kit).keys == ["a", "b", "c"])
  }

  @Test("have specifiers by what the sources declare: results, arithmetic, alternatives and formats")
  func specifiers() {
    let found = extracted(
      """
      func total() -> Double { 1 }
      struct Trip { var seats: Int; let fare: Double; var note: String? }
      String(localized: "1 \\(trip.seats) \\(total()) \\(trip.seats * 2) \\(trip.fare / 2)")
      String(localized: "2 \\(list.count) \\(x ?? 0) \\(ok ? 1 : 2) \\(date, format: .dateTime) \\(trip.fare, specifier: "%.1f")")
      String(localized: "3 \\(unknown.thing)")
      """.replacing("\\\\", with: "\\"))
    #expect(found.keys == ["1 %lld %lf %lld %lf", "2 %lld %lld %lld %@ %.1f", "3 %@"])
    #expect(found.texts.map(\.isGuessed) == [false, false, true])
  }

  @Test("are those of SwiftGen's functions, with their tables and texts")
  func generated() {
    let found = extracted(
      """
      internal static let a = L10n.tr("Main", "a.b", fallback: "A")
      internal static func c(_ p1: Any) -> String { return L10n.tr("Main", "c", String(describing: p1), fallback: "C %@") }
      private static func tr(_ table: String, _ key: String, _ args: CVarArg..., fallback value: String) -> String {
        let format = BundleToken.bundle.localizedString(forKey: key, value: value, table: table)
        return String(format: format, locale: Locale.current, arguments: args)
      }
      """)
    #expect(found.keys == ["a.b", "c"])
    #expect(found.texts.map(\.table) == ["Main", "Main"])
    #expect(found.texts.map(\.value) == ["A", "C %@"])
    #expect(found.dynamic.isEmpty)
  }

  @Test("never make the reader crash or hang, whatever is broken off, doubled or missing", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 20)
    let paths = try SwiftFixtures.paths()
    let extraction = SourceExtraction(ExtractionOptions(includesSwiftUI: true))
    for _ in 0..<SeededRandom.rounds(or: 300) {
      guard let path = paths.randomElement(using: &random) else { break }
      let bytes = mutated(try Bytes.mapping(path).array, &random)
      _ = extraction.texts(in: Bytes(bytes), file: path, language: .swift)
    }
    // Deep or long sources take time in proportion.
    let deep = String(repeating: "f(", count: 20_000) + String(repeating: "[", count: 20_000)
    #expect(keys("func f(_ a: LocalizedStringKey) {}\n" + deep).isEmpty)
    let conditions = "let a: LocalizedStringKey = " + String(repeating: "b ? ", count: 5_000) + "\"c\""
    _ = keys(conditions)
    let types = "var a: " + String(repeating: "[", count: 5_000) + "Int"
    #expect(keys(types).isEmpty)
  }
}

/// Real sources of Swift.
private enum SwiftFixtures {
  static func paths() throws -> [String] {
    let folder = "rpc/openapi/swift-openapi-generator/Tests/OpenAPIGeneratorReferenceTests/Resources/ReferenceSources/"
    return try ["text/i18n_src/B.swift", folder + "Petstore/Client.swift"].map { try Fixture.path($0) }
  }
}
