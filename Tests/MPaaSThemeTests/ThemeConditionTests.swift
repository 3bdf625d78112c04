import MPaaSTestSupport
import MPaaSTheme
import Testing

@Suite("The conditions of themes") struct ThemeConditionTests {
  @Test(
    "hold as the format says",
    arguments: [
      ("screen>phone5", "iphone6", true), ("screen<=phone6p", "iphone6p", true), ("screen>=phone6p", "iphone6", false),
      ("screen=phone_low", "iphone3gs", true), ("screen!=phone4", "iphone4s", false),
      // Phones and pads have no order among each other.
      ("screen>phone4", "ipad4", false), ("screen<phone6p", "ipad2", false), ("screen!=phone4", "ipad4", true),
      ("screen=pad_retina", "ipadair", true), ("screen<pad_retina", "ipad2", true),
      ("device=iphone", "iphone6p", true), ("device!=ipad", "ipadmini", false), ("device=ipad", "iPad4,1", true),
      ("ios<8.0", "iphone6", false), ("ios>=9.0.1", "iphone6", true), ("ios>9.0.1", "iphone6", false),
      ("ios=9.0.1", "iphone6", true), ("ios=9", "iphone6", false), ("ios<=9.1", "iphone6", true),
      ("ios<10", "iphone6", true), ("ios!=9.0.10", "iphone6", true), (" screen >= phone6 ", "iPhone7,1", true),
    ])
  func holds(condition: String, device: String, expected: Bool) throws {
    #expect(try ThemeCondition(condition).holds(on: ThemeSample.device(device)) == expected)
  }

  @Test("are not true of what nothing is known of")
  func unknown() throws {
    for text in ["screen!=phone5", "ios>0", "device!=ipad"] {
      #expect(try !ThemeCondition(text).holds(on: .unknown))
    }
  }

  @Test("compare versions number by number, against all triples of small numbers")
  func versions() throws {
    let numbers = [0, 1, 2, 10]
    let all = numbers.flatMap { a in numbers.flatMap { b in numbers.map { c in [a, b, c] } } }
    for left in all.filter({ $0[2] != 2 }) {
      let device = ThemeDevice(version: .init(left[0], left[1], left[2]))
      for right in all {
        let text = right.map(String.init).joined(separator: ".")
        let isLess = left.lexicographicallyPrecedes(right)
        for (sign, expected) in [("<", isLess), ("=", left == right), (">=", !isLess), ("!=", left != right)] {
          #expect(try ThemeCondition("ios\(sign)\(text)").holds(on: device) == expected)
        }
      }
    }
  }

  @Test("say why a key states none")
  func faults() {
    #expect(throws: ThemeCondition.Fault.subject("screem", suggestion: "screen")) {
      try ThemeCondition("screem=phone5")
    }
    #expect(throws: ThemeCondition.Fault.value("iphone6", subject: "screen", suggestion: "phone6")) {
      try ThemeCondition("screen=iphone6")
    }
    #expect(throws: ThemeCondition.Fault.comparison("<", subject: "device")) { try ThemeCondition("device<ipad") }
    #expect(throws: ThemeCondition.Fault.comparison("==", subject: "ios")) { try ThemeCondition("ios==9") }
    #expect(throws: ThemeCondition.Fault.value("9.0.1.2", subject: "ios", suggestion: nil)) {
      try ThemeCondition("ios=9.0.1.2")
    }
  }

  @Test(
    "know devices by the names that people have for them",
    arguments: [
      ("iphone6p", "phone6p"), ("iPhone 6s Plus", "phone6p"), ("iphone-se", "phone5"), ("iPhone8,4", "phone5"),
      ("iPhone9,3", "phone6"), ("iPhone 15 Pro Max", "phone6p"), ("iPad2,5", "pad_low"), ("ipad pro", "pad_retina"),
      ("phone_low", "phone_low"), ("iPhone3,1", "phone4"),
    ])
  func devices(name: String, screen: String) throws {
    #expect(ThemeDevice(named: name)?.screen?.rawValue == screen)
  }

  @Test("know no others", arguments: ["iphone", "ipad"])
  func kinds(name: String) {
    #expect(ThemeDevice(named: name)?.kind?.rawValue == name)
    #expect(ThemeDevice(named: name)?.screen == nil)
    #expect(ThemeDevice(named: name + "99,1") == nil || name == "ipad")
    #expect(ThemeDevice(named: "android") == nil)
  }

  @Test("of which the first that holds is taken, and the others are told")
  func several() throws {
    let body = """
      <key>A</key><dict><key>Default</key><string>d</string><key>screen&gt;=phone5</key><string>first</string>
      <key>screen&gt;=phone6</key><string>second</string><key>bad&gt;1</key><string>never</string></dict>
      """
    let theme = try ThemeSample.theme(body, ThemeSample.device("iphone6"))
    let entry = try #require(try theme.entry(at: "A"))
    #expect(entry.value == .string("first"))
    #expect(entry.conditions == ["screen>=phone5"])
    #expect(entry.rivals == ["screen>=phone6"])
    #expect(theme.on(.unknown).string(forPath: "A") == "d")
  }

  @Test("may stand around groups, in constants, and without a Default")
  func nested() throws {
    let body = """
      <key>Constants</key><dict><key>Side</key><dict><key>device=ipad</key><integer>40</integer></dict></dict>
      <key>A</key><dict><key>Default</key><dict><key>X</key><integer>1</integer></dict>
      <key>device=ipad</key><dict><key>X</key><integer>2</integer><key>Y</key><string>$Side</string></dict></dict>
      <key>B</key><string>$Side</string>
      """
    let phone = try ThemeSample.theme(body, ThemeSample.device("iphone6"))
    let pad = try phone.on(ThemeSample.device("ipad4"))
    #expect(phone.int(forPath: "A.X") == 1)
    #expect(!phone.isDefined(forPath: "A.Y"))
    #expect(!phone.isDefined(forPath: "B"))
    #expect(pad.int(forPath: "A.X") == 2)
    #expect(pad.int(forPath: "A.Y") == 40)
    #expect(pad.int(forPath: "B") == 40)
  }
}
