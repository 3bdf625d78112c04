package import MPaaSConfig
import MPaaSSupport

/// A theme: values by path, as `APNavigationBar.Global.Title.TextColor`, that depend on the device.
///
/// It is a folder (a bundle) with a `theme.plist` and images. Values may be given by conditions with a `Default`, and
/// by constants (`$AntBlue`). A theme that says `Inherited` has the values of another one where it has none itself.
public struct Theme: Sendable {
  package let document: PropertyListFile
  /// The folder of its images; nil for a theme that came without a folder.
  public let folder: String?
  /// The device that its conditions are held against.
  public let device: ThemeDevice
  let root: ThemeGroup
  let constants: ThemeGroup?
  private let others: [Theme]

  /// Reads the bytes of a `theme.plist`.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file: a property list.
  ///   - file: What errors call it.
  ///   - folder: The folder of the theme's images; nil for none.
  ///   - device: The device that conditions are held against.
  ///   - base: The theme whose values it has where it says `Inherited` and has none itself.
  /// - Throws: `theme-type` where the file is no dictionary or one of the keys of the format has another type; those of
  ///   property lists, with line and column.
  public init(
    _ bytes: [UInt8], file: String = Self.fileName, folder: String? = nil, device: ThemeDevice = .unknown,
    base: Theme? = nil
  ) throws(ThemeError) {
    let document: PropertyListFile
    do throws(ConfigError) {
      document = try PropertyListFile(bytes, file: file)
    } catch {
      throw ThemeError(error)
    }
    try self.init(document, folder: folder, device: device, base: base)
  }

  package init(
    _ document: PropertyListFile, folder: String?, device: ThemeDevice = .unknown, base: Theme? = nil
  ) throws(ThemeError) {
    guard case .group(let root) = ThemeNode(document.root) else {
      throw Self.typeError(document.root, key: "plist", expected: "dict", in: document)
    }
    constants = try Self.constants(root, document)
    if let name = root["Name"]?.value, name.string == nil {
      throw Self.typeError(name, key: "Name", expected: "string", in: document)
    }
    if let inherited = root["Inherited"]?.value, ThemeValue(inherited).bool == nil {
      throw Self.typeError(inherited, key: "Inherited", expected: "true", in: document)
    }
    self.document = document
    self.folder = folder
    self.device = device
    self.root = root
    others = base.map { [$0] } ?? []
  }

  private static func constants(
    _ root: ThemeGroup, _ document: PropertyListFile
  ) throws(ThemeError) -> ThemeGroup? {
    guard let node = root["Constants"] else { return nil }
    guard case .group(let group) = node else {
      throw typeError(node.value, key: "Constants", expected: "dict", in: document)
    }
    return group
  }

  private static func typeError(
    _ value: PropertyListValue, key: String, expected: String, in document: PropertyListFile
  ) -> ThemeError {
    ThemeError(
      .type, ["file": document.file, "key": key, "found": value.element, "expected": expected],
      at: document.place(of: value))
  }

  /// The file of a theme in its folder.
  public static let fileName = "theme.plist"

  /// The value of `Name`.
  public var name: String? { root["Name"]?.value.string }

  /// Tells whether another theme's values count where it has none.
  public var isInherited: Bool { root["Inherited"].flatMap { ThemeValue($0.value).bool } ?? false }

  /// The theme whose values it has where it has none itself.
  public var base: Theme? { isInherited ? others.first : nil }

  /// The same for another device.
  public func on(_ device: ThemeDevice) -> Theme {
    Theme(self, device: device, others: others.map { $0.on(device) })
  }

  /// The same with the values of another theme where it says `Inherited`.
  public func inheriting(_ base: Theme?) -> Theme {
    Theme(self, device: device, others: base.map { [$0.on(device)] } ?? [])
  }

  private init(_ other: Theme, device: ThemeDevice, others: [Theme]) {
    document = other.document
    folder = other.folder
    root = other.root
    constants = other.constants
    self.device = device
    self.others = others
  }
}

extension Theme {
  /// The keys of the format at the top of the file: what they hold is no value of a component.
  static let reserved: Set<String> = ["Name", "Constants", "Inherited"]

  func constant(_ name: String) -> ThemeNode? { constants?[name] }

  var constantNames: [String] { constants?.keys.map(\.key) ?? [] }

  /// A node with conditions decided and constants followed; nil where no condition holds and there is no `Default`.
  ///
  /// - Throws: `theme-constant-missing`, `theme-constant-cycle`.
  func resolve(_ node: ThemeNode) throws(ThemeError) -> ThemeNode? {
    var way = ThemeWay()
    return try way.follow(node, in: self)
  }

  func missing(_ name: String) -> [String: String] {
    var values = ["constant": name]
    values["suggestion"] = closestMatch(to: name, among: constantNames)
    return values
  }

  /// The node that a path leads to in this theme alone, with conditions on the way decided.
  func node(at path: some Sequence<Substring>) throws(ThemeError) -> ThemeNode? {
    var node = ThemeNode.group(root)
    for key in path {
      guard case .group(let group)? = try resolve(node), let next = group[String(key)] else { return nil }
      node = next
    }
    return try resolve(node)
  }
}
