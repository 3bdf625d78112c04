import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTheme
import Testing

@Suite("The conversion of themes") struct ThemeConvertTests {
  private func swift(_ body: String, dark: String? = nil, minimum: ThemeDevice.Version = .init(0)) throws -> String {
    let night = try dark.map { try ThemeSample.theme($0) }
    let conversion = try ThemeSwift.conversion(
      of: ThemeSample.theme(body), dark: night, options: .init(name: "Sample", minimum: minimum))
    guard case .text(let text)? = conversion.files.first?.content else { return "" }
    return text
  }

  @Test("to Swift has a constant for each value, and a switch where the screen decides")
  func constants() throws {
    let source = try swift(ThemeSample.navigation)
    #expect(source.contains("static let statusBarStyle: Int = 1"))
    #expect(source.contains("/// APNavigationBar.Title.TextColor ($AntBlue)"))
    #expect(source.contains("static let textColor: UIColor = color(0x00aaeeff)"))
    #expect(source.contains("case .phone6p: UIFont.boldSystemFont(ofSize: 20)"))
    #expect(source.contains("if ThemeScreen.version < (9, 0, 0) {"))
    #expect(source.contains("case .padLow, .padRetina: color(0x0000ffff)"))
    #expect(source.contains("static let translucent: Bool = true"))
    #expect(source.contains("static let alpha: CGFloat = 0.5"))
  }

  @Test("leaves out what is for older systems than the app runs on")
  func minimum() throws {
    #expect(try !swift(ThemeSample.navigation, minimum: .init(15)).contains("ThemeScreen.version"))
  }

  @Test("has the dark side of colours")
  func dark() throws {
    let body = "<key>AColor</key><string>#ffffff</string>"
    let source = try swift(body, dark: "<key>AColor</key><string>#000000</string>")
    #expect(source.contains("color(0xffffffff, dark: 0x000000ff)"))
    #expect(source.contains("userInterfaceStyle == .dark"))
  }

  @Test("makes names that Swift takes, none twice")
  func names() throws {
    let source = try swift(
      """
      <key>Type</key><dict><key>class</key><integer>1</integer><key>2x</key><integer>2</integer>
      <key>a-b</key><integer>3</integer><key>aB</key><integer>4</integer><key>颜色</key><string>"\\(x)</string></dict>
      """)
    for word in ["enum TypeValues", "`class`", "_2x", "aB: Int = 3", "aB2: Int = 4", "颜色: String = \"\\\"\\\\(x)\""] {
      #expect(source.contains(word), "\(word)")
    }
  }

  @Test("gives Swift that the compiler takes", .tool("swiftc"))
  func compiles() throws {
    let folder = try TemporaryFolder()
    let source = try swift(ThemeSample.navigation, dark: ThemeSample.title("#000000"))
    try Data(Self.kit.utf8).write(to: folder.url.appending(path: "UIKit.swift"))
    try Data(source.utf8).write(to: folder.url.appending(path: "Sample.swift"))
    let kit = try Command.run(
      "swiftc", ["-parse-as-library", "-emit-module", "-module-name", "UIKit", "UIKit.swift"], directory: folder.url)
    #expect(kit.status == 0, "\(kit.errors)")
    let outcome = try Command.run(
      "swiftc", ["-parse-as-library", "-swift-version", "6", "-typecheck", "-I", ".", "Sample.swift"],
      directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }

  /// As much of UIKit as written themes ask for.
  static let kit = """
    @_exported import Foundation
    public enum UIUserInterfaceStyle: Sendable { case light, dark }
    public struct UITraitCollection: Sendable { public var userInterfaceStyle: UIUserInterfaceStyle }
    public final class UIColor: Sendable {
      public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
      public init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {}
    }
    public final class UIFont: Sendable {
      public static func systemFont(ofSize: CGFloat) -> UIFont { UIFont() }
      public static func boldSystemFont(ofSize: CGFloat) -> UIFont { UIFont() }
    }
    public final class UIImage: Sendable { public init?(named: String) {} }
    @MainActor public final class UIScreen {
      public static let main = UIScreen()
      public let scale: CGFloat = 2
      public let bounds = CGRect()
    }
    public enum UIUserInterfaceIdiom: Sendable { case phone, pad }
    @MainActor public final class UIDevice {
      public static let current = UIDevice()
      public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    }
    """

  @Test("to an asset catalogue has colour sets with sides for the iPad and the dark appearance, and images")
  func catalog() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url.appending(path: "Images"), withIntermediateDirectories: true)
    for name in ["back@2x.png", "back@3x.png"] {
      try Data("x".utf8).write(to: folder.url.appending(path: "Images/\(name)"))
    }
    let theme = try ThemeSample.theme(ThemeSample.navigation, folder: folder.path)
    let dark = try ThemeSample.theme(ThemeSample.title("#00aaee80"))
    let conversion = try ThemeCatalog.conversion(of: theme, dark: dark, name: "Sample", version: .init(17))
    var files: [String: Any] = [:]
    for case let file in conversion.files {
      if case .text(let text) = file.content {
        files[file.path] = try JSONSerialization.jsonObject(with: Data(text.utf8))
      }
    }
    let root = "Sample.xcassets/APNavigationBar"
    func items(_ path: String, _ key: String) -> [[String: Any]]? {
      (files["\(root)/\(path)/Contents.json"] as? [String: Any])?[key] as? [[String: Any]]
    }
    let colors = try #require(items("Title/TextColor.colorset", "colors"))
    #expect(colors.map { $0["idiom"] as? String } == ["universal", "universal"])
    #expect((colors[1]["appearances"] as? [[String: String]])?.first?["value"] == "dark")
    let parts = try #require((colors[1]["color"] as? [String: Any])?["components"] as? [String: String])
    #expect(parts == ["red": "0x00", "green": "0xAA", "blue": "0xEE", "alpha": "0.502"])
    let tint = items("Background/BarTintColor.colorset", "colors")
    #expect(tint?.map { $0["idiom"] as? String } == ["universal", "ipad"])
    let images = items("Background/Image.imageset", "images")
    #expect(images?.map { $0["scale"] as? String } == ["2x", "3x"])
    #expect((files["\(root)/Contents.json"] as? [String: Any])?["properties"] != nil)
    #expect(conversion.findings.map(\.diagnostic.id.name) == ["theme-convert-left"])
  }

  @Test("to an asset catalogue says where screens of one kind differ")
  func screens() throws {
    let body = """
      <key>AColor</key><dict><key>Default</key><string>#000000</string>
      <key>screen&gt;=phone6</key><string>#ffffff</string></dict>
      """
    let conversion = try ThemeCatalog.conversion(of: ThemeSample.theme(body), name: "X", version: .init(17))
    let finding = try #require(conversion.findings.first?.diagnostic)
    #expect(finding.id.name == "theme-convert-screens")
    #expect(finding.values["kind"] == "iphone")
  }

  @Test("draws a sheet that other programs read", .tool("python3"))
  func preview() throws {
    let folder = try TemporaryFolder()
    let theme = try ThemeSample.theme(ThemeSample.navigation + "<key>A&amp;B</key><string>#12345678</string>")
    let sheet = try ThemeSheet(theme, dark: theme)
    #expect(sheet.colors == 3)
    #expect(sheet.fonts == 1)
    let parsed = try Command.run(
      "python3",
      ["-c", "import sys, xml.dom.minidom as m; print(len(m.parse(sys.stdin).getElementsByTagName('text')))"],
      input: sheet.svg)
    #expect(parsed.status == 0, "\(parsed.errors)")
    #expect((Int(parsed.output.dropLast()) ?? 0) > 8, "\(parsed.errors)")
    let file = folder.url.appending(path: "sheet.png")
    try Data(sheet.png(scale: 1)).write(to: file)
    let program = """
      import sys, zlib, struct
      data = open(sys.argv[1], 'rb').read(); at = 8; idat = b''
      while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at+8]); body = data[at+8:at+8+n]
        assert zlib.crc32(kind + body) == struct.unpack('>I', data[at+8+n:at+12+n])[0]
        if kind == b'IHDR': w, h = struct.unpack('>II', body[:8])
        if kind == b'IDAT': idat += body
        at += 12 + n
      assert len(zlib.decompress(idat)) == h * (3 * w + 1)
      print(w, h)
      """
    let checked = try Command.run("python3", ["-c", program, file.path])
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.output.hasPrefix("960 "), "\(checked.errors)")
  }

  @Test("is written to a file or below a folder, over what is there only where that is wanted")
  func written() throws {
    let conversion = try ThemeSwift.conversion(
      of: ThemeSample.theme(ThemeSample.navigation), options: .init(name: "Sample"))
    let name = try #require(conversion.files.first?.path)
    let memory = MemoryFiles()
    func write(to target: String, isFolder: Bool = false, replaces: Bool = false) throws -> [String] {
      try conversion.write(to: target, isFolder: isFolder, replaces: replaces, by: memory.client)
    }
    #expect(try write(to: "Theme.swift") == ["Theme.swift"])
    #expect(throws: ThemeError(.outputExists, ["file": "Theme.swift"])) { try write(to: "Theme.swift") }
    #expect(try write(to: "Theme.swift", replaces: true) == ["Theme.swift"])
    #expect(try write(to: "out/") == ["out/" + name])
    #expect(try write(to: ".", isFolder: true) == [name])
    #expect(memory.texts.keys.sorted() == ["Theme.swift", "out/" + name, name].sorted())
  }
}
