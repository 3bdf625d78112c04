import MPaaSConfig

/// Rows by the keys of their paths, in the order in which they came.
struct ThemeTree {
  struct Child {
    let key: String
    var row: ThemeGrid.Row?
    var tree = ThemeTree()
  }

  private(set) var children: [Child] = []

  init(_ rows: [ThemeGrid.Row] = []) {
    for row in rows { add(row, row.path[...]) }
  }

  private mutating func add(_ row: ThemeGrid.Row, _ path: ArraySlice<String>) {
    guard let key = path.first else { return }
    let index = children.firstIndex { $0.key == key } ?? children.count
    if index == children.count { children.append(Child(key: key)) }
    if path.count == 1 { children[index].row = row } else { children[index].tree.add(row, path.dropFirst()) }
  }
}

/// The colours of a theme's dark side.
struct ThemeDark {
  let rows: [[String]: ThemeGrid.Row]
  /// Those of the light side; the dark one may change at other versions, and then at the next of these.
  let segments: [ThemeDevice.Version]

  func color(_ path: [String], _ segment: Int, _ column: Int) -> ThemeColor? {
    guard let row = rows[path] else { return nil }
    let cells = row.cells.count == segments.count ? row.cells[segment] : row.cells.last ?? []
    return cells[column]?.value.color
  }
}

/// The type that a value has in Swift.
enum ThemeSwiftType {
  case color, font, image, boolean, integer, number, string, strings

  /// The one type that all of a path's values have; nil where they have none in common.
  init?(_ entries: [ThemeEntry]) {
    let kinds = Set(entries.map(\.kind))
    switch kinds {
    case [.color]: self = .color
    case [.font] where entries.allSatisfy { $0.value.font != nil }: self = .font
    case [.image]: self = .image
    case [.boolean]: self = .boolean
    case [.integer]: self = .integer
    case [.real], [.integer, .real]: self = .number
    case [.array] where entries.allSatisfy { Self.strings($0.value) != nil }: self = .strings
    default:
      guard !entries.isEmpty, kinds.isDisjoint(with: [.group, .array, .font]) else { return nil }
      self = .string
    }
  }

  private static func strings(_ value: ThemeValue) -> [String]? {
    guard case .array(let values) = value else { return nil }
    let strings = values.compactMap(\.string)
    return strings.count == values.count ? strings : nil
  }

  var name: String {
    switch self {
    case .color: "UIColor"
    case .font: "UIFont"
    case .image: "UIImage"
    case .boolean: "Bool"
    case .integer: "Int"
    case .number: "CGFloat"
    case .string: "String"
    case .strings: "[String]"
    }
  }

  func literal(_ value: ThemeValue) -> String {
    switch self {
    case .font:
      guard let font = value.font else { return "nil" }
      return "UIFont.\(font.isBold ? "boldSystemFont" : "systemFont")(ofSize: \(Self.number(font.size)))"
    case .boolean: return value.bool == true ? "true" : "false"
    case .integer, .number: return value.double.map(Self.number) ?? "0"
    case .strings:
      return "[" + (Self.strings(value) ?? []).map(SwiftLiteral.text).joined(separator: ", ") + "]"
    default: return SwiftLiteral.text(value.string ?? "")
    }
  }

  private static func number(_ number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? ".nan" : number < 0 ? "-.infinity" : ".infinity" }
    return ThemeValue.real(number).string ?? "0"
  }
}
