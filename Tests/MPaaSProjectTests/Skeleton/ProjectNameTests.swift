import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The name of a project") struct ProjectNameTests {
  @Test(
    "becomes a type's name and a part of a bundle identifier",
    arguments: [
      ("Shop", "Shop", "Shop"), ("my-app 2", "MyApp2", "my-app-2"), ("2048", "App2048", "app-2048"),
      ("café crème", "CafeCreme", "cafe-creme"), ("Straße", "Strasse", "Strasse"), ("class", "Class", "class"),
      ("String", "StringApp", "String"), ("购物", "Gouwu", "gouwu"),
      ("购物中心 Pro", "GouwuzhongxinPro", "gouwuzhongxin-Pro"), ("西安App2", "XianApp2", "xian-App2"),
      ("绿茶", "Lvcha", "lvcha"), ("重庆", "Chongqing", "chongqing"), ("お買い物", "MyApp", "myapp"), ("🚀 Go", "Go", "Go"),
      ("iOS小店", "IOSXiaodian", "iOS-xiaodian"), ("SwiftUI", "SwiftUIApp", "SwiftUI"), ("e\u{301}t\u{e9}", "Ete", "ete"),
    ])
  func made(text: String, identifier: String, bundlePart: String) throws {
    let name = try ProjectName(text)
    #expect(name.identifier == identifier)
    #expect(name.bundlePart == bundlePart)
    #expect(SwiftWords.isTypeName(name.identifier))
  }

  @Test(
    "that no folder should have is refused",
    arguments: [
      ("", "project-name-empty"), ("  ", "project-name-empty"), ("a/b", "project-name-separator"),
      ("a\\b", "project-name-separator"), ("a:b", "project-name-separator"), (".a", "project-name-dot"),
      ("..", "project-name-dot"), ("-a", "project-name-dot"), ("a\nb", "project-name-control"),
      ("a\u{202e}b", "project-name-control"), (" a", "project-name-control"), ("a\u{200b}", "project-name-control"),
      ("a\u{fffd}", "project-name-control"),
      ("a\"b", "project-name-character"), ("$(x)", "project-name-character"),
      (String(repeating: "界", count: 40), "project-name-long"),
    ])
  func refused(text: String, code: String) {
    let error = #expect(throws: TemplateError.self) { try ProjectName(text) }
    #expect(error?.code.id.name == code)
  }

  @Test("of any characters is refused or made into names that Swift takes")
  func fuzz() {
    var random = SeededRandom(seed: 66)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x3ff : 0x1f9ff), using: &random))
      }
      guard let name = try? ProjectName(String(String.UnicodeScalarView(scalars))) else { continue }
      #expect(SwiftWords.isTypeName(name.identifier))
      #expect(ValuePattern("bundle-id")?.matches("com.example." + name.bundlePart) == true, "\(name)")
    }
  }

  @Test("of a part is taken with or without the word that its kind ends in")
  func pieces() throws {
    #expect(try PieceName("orders", suffix: "Service").type == "OrdersService")
    #expect(try PieceName("OrdersService", suffix: "Service").base == "Orders")
    #expect(try PieceName("service", suffix: "Service").type == "ServiceService")
    #expect(try PieceName("订单", suffix: "Service").type == "DingdanService")
    #expect(throws: TemplateError.self) { try PieceName("string", suffix: "") }
    #expect(throws: TemplateError.self) { try PieceName("アプリ", suffix: "Service") }
  }
}
