import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSFramework

/// A micro-app that notes which language it is told of.
private final class Reader: MicroAppDelegate {
  @TaskLocal static var journal = Journal<String>()
  struct Refused: Error {}
  let journal = Reader.journal

  func application(_ application: MicroApp, languageDidChange change: LanguageChange) throws {
    journal.note("\(application.name) \(change.old?.tag ?? "–") \(change.new?.tag ?? "–")")
    if application.name == "bad" { throw Refused() }
  }
}

private struct SpeakingInterface: MPaaSAppInterface {
  var languageTexts = LanguageTexts.none
  var systemLanguages: [AppLanguage] = []
  var languagePreference = LanguagePreference.none
}

@MainActor @Suite("Languages of an app") struct LanguageTests {
  private static func language(_ tag: String) throws -> AppLanguage { try #require(AppLanguage(tag)) }

  /// The layout of the old kit's bundle, with a folder of a language beside it.
  private func bundle(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/MPLanguage.bundle"
    try FileManager.default.createDirectory(atPath: path + "/ja.lproj", withIntermediateDirectories: true)
    func write(_ text: String, _ name: String, _ encoding: String.Encoding = .utf8) throws {
      try #require(text.data(using: encoding)).write(to: URL(filePath: path + "/" + name))
    }
    try write("/* comment here. */\n\"app1.title\" = \"标题\\n \\\"甲\\\"\";\n", "zh_CN.strings")
    try write("\"app1.title\" = \"Title\";\n\"only\" = \"English only\";", "en.strings", .utf16)
    try write("\"app1.title\" = \"タイトル\";", "ja.lproj/Localizable.strings")
    try write("", "de.strings")
    try write("nothing", "readme.txt")
    return path
  }

  @Test(
    "tags, locales and names of files mean the same language",
    arguments: [
      ("zh_CN", "zh-Hans"), ("zh-Hans-CN", "zh-Hans"), ("zh-hant", "zh-Hant"), ("zh_TW.UTF-8", "zh-Hant"),
      ("zh", "zh-Hans"),
      ("en", "en"), ("EN_us@euro", "en-US"), ("pt-BR", "pt-BR"), ("es-419", "es-419"), ("sr-latn-rs", "sr-Latn-RS"),
      ("C", nil), ("POSIX", nil), ("", nil), ("../x", nil),
    ])
  func tags(text: String, tag: String?) {
    #expect(AppLanguage(text)?.tag == tag)
  }

  @Test("the old kit's bundle is read, in whatever encoding, with its folders")
  func bundleIsRead() throws {
    let folder = try TemporaryFolder()
    let texts = try LanguageTexts(bundle: bundle(folder))
    #expect(texts.languages.map(\.tag) == ["de", "en", "ja", "zh-Hans"])
    #expect(texts["app1.title", try Self.language("zh-CN")] == "标题\n \"甲\"")
    #expect(texts["app1.title", try Self.language("ja")] == "タイトル")
    #expect(texts["only", try Self.language("en")] == "English only")
    #expect(texts["only", try Self.language("ja")] == nil)
  }

  @Test("a bundle that is missing or damaged is told with its file")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let missing = try #require(throws: FrameworkError.self) { try LanguageTexts(bundle: folder.path + "/none") }
    #expect(missing.code == .languageBundleMissing)
    try Data("\"a\" = \"b\"\n\"c\" = ".utf8).write(to: URL(filePath: folder.path + "/en.strings"))
    let damaged = try #require(throws: FrameworkError.self) { try LanguageTexts(bundle: folder.path) }
    #expect(damaged.code == .languageTableMalformed)
    #expect(damaged.description.contains("en.strings"), "\(damaged)")
    #expect(damaged.description.contains("line 2"), "\(damaged)")
  }

  @Test("damaged tables never crash the reader")
  func fuzz() throws {
    let folder = try TemporaryFolder()
    let path = URL(filePath: folder.path + "/en.strings")
    let whole = Array("/* a */ \"k\" = \"v \\U4E2D \\\" \\n\"; // x\n{ a = (1,2); }\nk2 = <0aff>;".utf8)
    var random = SeededRandom(seed: 11)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      try Data(bytes).write(to: path)
      do throws(FrameworkError) {
        _ = try LanguageTexts(bundle: folder.path)
      } catch {
        #expect(error.code == .languageTableMalformed)
      }
    }
  }

  @Test("the system's wish is spoken until a user chooses, and the choice outlives the app")
  func choice() throws {
    let folder = try TemporaryFolder()
    let texts = try LanguageTexts(bundle: bundle(folder))
    let wishes = try [Self.language("fr"), Self.language("ja-JP"), Self.language("en")]
    let preference = LanguagePreference.file(folder.path + "/language")
    let setting = LanguageSetting(texts, system: wishes, preference: preference)
    #expect(setting.current?.tag == "ja")
    #expect(!setting.isChosen)
    #expect(setting.text("app1.title") == "タイトル")
    #expect(setting.text("only") == "English only")
    #expect(setting.text("nowhere") == "nowhere")
    try setting.choose(Self.language("zh_CN"))
    #expect(setting.text("app1.title") == "标题\n \"甲\"")
    let again = LanguageSetting(texts, system: wishes, preference: preference)
    #expect(again.current?.tag == "zh-Hans")
    #expect(again.isChosen)
    try again.choose(nil)
    #expect(again.current?.tag == "ja")
    #expect(!again.isChosen)
    #expect(LanguageSetting(texts, system: wishes, preference: preference).current?.tag == "ja")
    let error = try #require(throws: FrameworkError.self) { try again.choose(Self.language("zh-Hant")) }
    #expect(error.code == .languageUnknown)
    #expect(error.description.contains("zh-Hans"))
    #expect(again.current?.tag == "ja")
  }

  @Test("views that observe, modules and micro-apps are told, and one that throws keeps no other from it")
  func notices() throws {
    let journal = Journal<String>()
    let texts = LanguageTexts([try Self.language("en"): ["a": "b"], try Self.language("de"): [:]])
    let context = try Reader.$journal.withValue(journal) {
      let context = try MobileContext(
        RuntimeTable(applications: ["bad", "good"].map { ApplicationEntry(name: $0, delegate: Reader.self) }),
        interface: SpeakingInterface(languageTexts: texts))
      for name in ["bad", "good"] { try context.start(name) }
      return context
    }
    var seen: [String] = []
    var observation: LanguageObservation? = context.languages.observe { seen.append($0.new?.tag ?? "") }
    let errors = try context.speak(Self.language("de"))
    #expect(errors.map(\.code) == [.applicationStepFailed])
    #expect(errors.first?.subject == .application("bad"))
    #expect(journal.entries == ["bad en de", "good en de"])
    #expect(seen == ["de"])
    withExtendedLifetime(observation) {}
    observation = nil
    try context.speak(nil)
    #expect(seen == ["de"])
    #expect(journal.entries.count == 4)
  }

  @Test("the page lists the languages by their own names, and the console chooses among them")
  func page() async throws {
    let texts = LanguageTexts([
      try Self.language("en"): [:], try Self.language("zh-Hans"): [:], try Self.language("pt-BR"): [:],
    ])
    let context = try MobileContext(interface: SpeakingInterface(languageTexts: texts))
    let console = FrameworkConsole(context, language: .english)
    #expect(
      await console.execute("language").text
        == "*  system   As the system\n   en       English\n   pt-BR    português (pt-BR)\n   zh-Hans  简体中文")
    let chosen = await console.execute("language zh_CN")
    #expect(chosen.text.contains("*  zh-Hans  简体中文"))
    #expect(!chosen.isError)
    let unknown = await console.execute("language xx!")
    #expect(unknown.isError)
    #expect(unknown.text.hasPrefix("language-unknown"))
    #expect(await console.execute("language system").text.hasPrefix("*  system"))
  }
}
