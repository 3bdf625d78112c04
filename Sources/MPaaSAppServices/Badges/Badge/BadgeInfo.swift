/// One badge: where it is, how it looks, and how much it counts.
///
/// It stands for `MPBadgeInfo`.
///
/// ```swift
/// let badge = BadgeInfo("me,orders,orders-unpaid", style: .number, temporary: 2)
/// ```
public struct BadgeInfo: Sendable, Hashable {
  /// The largest number that is kept; greater ones are taken as it.
  public static let largestNumber = Int(Int32.max)
  /// The most widgets of a path; a longer path is taken as empty, and a badge without one is passed over.
  public static let mostWidgets = 100

  // The members that sums read lie together, before the texts.
  let path: PathDigest
  private(set) var temporary: Int32
  private(set) var persistent: Int32
  private(set) var kind: BadgeTotals.Kind
  /// True where the badge itself names a business.
  private(set) var namesBusiness = false

  /// The path of widgets from the outermost to the badge's own, joined by commas, none of them empty.
  public let badgeID: String
  /// The look of the badge.
  public var style: BadgeStyle { didSet { kind = BadgeTotals.Kind(style) } }
  /// The business that the badge belongs to; nil where only the widgets of its path tell.
  public var businessID: String? { didSet { namesBusiness = Self.namesBusiness(self) } }

  /// Creates a badge.
  ///
  /// - Parameters:
  ///   - badgeID: Widgets joined by commas; blanks around them and empty ones are left out.
  ///   - style: The form of the badge.
  ///   - temporary: The number that a tap clears.
  ///   - persistent: The number that stays until the operator takes it away.
  ///   - businessID: The business that it belongs to.
  public init(
    _ badgeID: String, style: BadgeStyle = .point, temporary: Int = 0, persistent: Int = 0, businessID: String? = nil
  ) {
    self.badgeID = Self.normal(badgeID)
    self.style = style
    self.businessID = businessID
    self.temporary = Self.kept(temporary)
    self.persistent = Self.kept(persistent)
    kind = BadgeTotals.Kind(style)
    path = PathDigest(self.badgeID)
    namesBusiness = Self.namesBusiness(self)
  }

  private static func namesBusiness(_ badge: BadgeInfo) -> Bool {
    if badge.businessID != nil { return true }
    let id = badge.badgeID.utf8
    let start = id.lastIndex(of: UInt8(ascii: ",")).map { id.index(after: $0) } ?? id.startIndex
    guard start < id.endIndex, id[start] == UInt8(ascii: "#") else { return false }
    return BadgeForest.business(ofWidget: badge.ownWidgetID) != nil
  }

  /// The number that a tap clears, from 0.
  public var temporaryNumber: Int {
    get { Int(temporary) }
    set { temporary = Self.kept(newValue) }
  }

  /// The number that taps do not change, from 0.
  public var persistentNumber: Int {
    get { Int(persistent) }
    set { persistent = Self.kept(newValue) }
  }

  /// Both numbers together; a badge of 0 is not shown.
  public var number: Int { Int(temporary) + Int(persistent) }

  /// The widgets of the path, the outermost first: `allWidgetIds` of the old kit.
  public var widgetIDs: [String] { badgeID.split(separator: ",").map(String.init) }

  /// The widget that shows the badge itself; empty where the path has none.
  public var ownWidgetID: String {
    guard let comma = badgeID.utf8.lastIndex(of: UInt8(ascii: ",")) else { return badgeID }
    return String(badgeID[badgeID.utf8.index(after: comma)...])
  }

  private static func kept(_ number: Int) -> Int32 { Int32(clamping: max(number, 0)) }

  private static func normal(_ path: String) -> String {
    var (isNormal, count) = (true, 1)
    // The byte before the first counts as a comma, so that an empty first widget is found as one.
    var last = UInt8(ascii: ",")
    for byte in path.utf8 {
      if byte == 0x20 || byte == UInt8(ascii: ",") && last == byte {
        isNormal = false
        break
      }
      if byte == UInt8(ascii: ",") { count &+= 1 }
      last = byte
    }
    if isNormal, path.isEmpty || last != UInt8(ascii: ",") { return count > mostWidgets ? "" : path }
    let widgets = path.split(separator: ",").map { widget in
      var widget = widget
      while widget.first == " " { widget.removeFirst() }
      while widget.last == " " { widget.removeLast() }
      return widget
    }
    let named = widgets.filter { !$0.isEmpty }
    return named.count > mostWidgets ? "" : named.joined(separator: ",")
  }
}
