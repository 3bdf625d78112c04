/// The facts that a theme's conditions ask about: the screen, the kind of device, and the version of the system.
public struct ThemeDevice: Sendable, Hashable {
  /// The screens that themes tell apart, by the names that they have there.
  public enum Screen: String, Sendable, CaseIterable {
    case padLow = "pad_low"
    case padRetina = "pad_retina"
    case phoneLow = "phone_low"
    case phone4, phone5, phone6, phone6p

    /// The kind of device that has it.
    public var kind: Kind { self == .padLow || self == .padRetina ? .ipad : .iphone }

    /// Pixels a point.
    public var scale: Int {
      switch self {
      case .padLow, .phoneLow: 1
      case .phone6p: 3
      default: 2
      }
    }

    /// Its place among the screens of its kind, from the smallest.
    var rank: Int {
      switch self {
      case .padLow, .phoneLow: 0
      case .padRetina, .phone4: 1
      case .phone5: 2
      case .phone6: 3
      case .phone6p: 4
      }
    }
  }

  /// The kinds of devices, by their names in themes.
  public enum Kind: String, Sendable, CaseIterable { case iphone, ipad }

  /// A version of the system: up to three numbers, of which missing ones are 0.
  public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The first number of the version.
    public let major: Int
    /// The second number of the version.
    public let minor: Int
    /// The third number of the version.
    public let patch: Int

    /// Makes a version of up to three numbers; those left out are 0.
    public init(_ major: Int, _ minor: Int = 0, _ patch: Int = 0) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// Reads `9`, `9.0` or `9.0.1`; nil where that is no version.
    public init?(_ text: some StringProtocol) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
      }
      guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
      self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
    }

    /// Later where the first number that differs is greater.
    public static func < (left: Self, right: Self) -> Bool {
      (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// The numbers with dots between them, the third only where it is not 0: `9.0`, `9.0.1`.
    public var description: String { patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)" }
  }

  /// Nil where nothing is known of the screen: no condition about it is true then.
  public let screen: Screen?
  /// The kind of the device; nil where it is not known.
  public let kind: Kind?
  /// The version of the device's system; nil where it is not known.
  public let version: Version?

  /// - Parameters:
  ///   - screen: The screen; nil where it is unknown.
  ///   - kind: The screen's where none is given.
  ///   - version: The version of the system; nil where it is unknown.
  public init(screen: Screen? = nil, kind: Kind? = nil, version: Version? = nil) {
    self.screen = screen
    self.kind = kind ?? screen?.kind
    self.version = version
  }

  /// A device of which nothing is known; themes have their `Default` values for it.
  public static let unknown = ThemeDevice()
}

extension ThemeDevice {
  /// A device by a name that people have for it: `iphone6p`, `iPhone 6s Plus`, `ipad2`, the name of a screen
  /// (`phone5`, `pad_retina`), or Apple's identifier (`iPhone7,1`); nil for an unknown one.
  public init?(named name: String, version: Version? = nil) {
    let word = name.lowercased().filter { $0 != " " && $0 != "-" }
    guard let screen = Screen(rawValue: word) ?? Self.screens[word] ?? Self.screen(ofIdentifier: word) else {
      guard let kind = Kind(rawValue: word) else { return nil }
      self.init(kind: kind, version: version)
      return
    }
    self.init(screen: screen, version: version)
  }

  /// The names of devices, for suggestions.
  package static var names: [String] { (Screen.allCases.map(\.rawValue) + screens.keys).sorted() }

  /// By names without blanks, in small letters.
  ///
  /// Devices that are younger than the format count as the old one whose width they are nearest to: 414 points and more
  /// as `phone6p`, below that as `phone6`.
  private static let screens: [String: Screen] = {
    var screens: [String: Screen] = [:]
    for (screen, names) in list { for name in names.split(separator: " ") { screens[String(name)] = screen } }
    return screens
  }()

  private static let list: [(Screen, String)] = [
    (.phoneLow, "iphone1 iphone2g iphone3g iphone3gs"),
    (.phone4, "iphone4 iphone4s"),
    (.phone5, "iphone5 iphone5s iphone5c iphonese iphonese1"),
    (
      .phone6,
      """
      iphone6 iphone6s iphone7 iphone8 iphonese2 iphonese3 iphonex iphonexs iphone11pro iphone12mini iphone13mini \
      iphone12 iphone12pro iphone13 iphone13pro iphone14 iphone14pro iphone15 iphone15pro iphone16 iphone16e \
      iphone16pro iphone17 iphone17pro
      """
    ),
    (
      .phone6p,
      """
      iphone6p iphone6plus iphone6sp iphone6splus iphone7p iphone7plus iphone8p iphone8plus iphonexr iphonexsmax \
      iphone11 iphone11promax iphone12promax iphone13promax iphone14plus iphone14promax iphone15plus iphone15promax \
      iphone16plus iphone16promax iphone17promax iphoneair
      """
    ),
    (.padLow, "ipad1 ipad2 ipadmini ipadmini1"),
    (
      .padRetina,
      """
      ipad3 ipad4 ipad5 ipad6 ipad7 ipad8 ipad9 ipad10 ipadair ipadair2 ipadair3 ipadmini2 ipadmini3 ipadmini4 \
      ipadmini5 ipadmini6 ipadpro
      """
    ),
  ]

  /// The screens of the devices that were there when themes were made, by Apple's identifiers.
  private static func screen(ofIdentifier word: String) -> Screen? {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let minor = Int(parts[1]), minor > 0 else { return nil }
    if word.hasPrefix("iphone"), let major = Int(parts[0].dropFirst(6)), major > 0 {
      switch (major, minor) {
      case (1...2, _): return .phoneLow
      case (3...4, _): return .phone4
      case (5...6, _), (8, 4): return .phone5
      case (7, 1), (8, 2), (9, 2), (9, 4), (10, 2), (10, 5): return .phone6p
      case (7...10, _): return .phone6
      default: return nil
      }
    }
    guard word.hasPrefix("ipad"), let major = Int(parts[0].dropFirst(4)), major > 0 else { return nil }
    return major <= 2 ? .padLow : .padRetina
  }
}
