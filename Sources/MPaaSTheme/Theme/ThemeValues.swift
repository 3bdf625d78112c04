/// Values by paths: keys with dots between them, as `Button.Title.Color`.
///
/// The old kit's `APThemeValuePath`, with nil where that had 0 or nothing.
public protocol ThemeValues {
  /// The value that a path leads to; nil where nothing is defined there.
  ///
  /// - Throws: `theme-constant-missing` and `theme-constant-cycle`, with the place.
  func value(forPath path: String) throws(ThemeError) -> ThemeValue?

  /// The image that a path names, by the file that fits the device best; nil where there is none.
  func image(forPath path: String) -> ThemeImage?
}

extension ThemeValues {
  /// The text at a path, numbers and truth values included; nil where there is none, or it cannot be read.
  public func string(forPath path: String) -> String? { found(path)?.string }
  /// The color at a path; nil where there is none, or it cannot be read.
  public func color(forPath path: String) -> ThemeColor? { found(path)?.color }
  /// The whole number at a path, without its fraction; nil where there is none, or it cannot be read.
  public func int(forPath path: String) -> Int? { found(path)?.int }
  /// The number at a path; nil where there is none, or it cannot be read.
  public func float(forPath path: String) -> Double? { found(path)?.double }
  /// The truth value at a path; nil where there is none, or it cannot be read.
  public func bool(forPath path: String) -> Bool? { found(path)?.bool }
  /// The font at a path; nil where there is none, or it cannot be read.
  public func font(forPath path: String) -> ThemeFont? { found(path)?.font }

  /// Tells whether anything is defined at a path.
  public func isDefined(forPath path: String) -> Bool { found(path) != nil }

  /// The values below a path.
  public func fetch(prefix: String) -> ThemeFetch<Self> { ThemeFetch(values: self, prefix: prefix) }

  private func found(_ path: String) -> ThemeValue? { (try? value(forPath: path)) ?? nil }
}

/// The values below a path, which their own paths are then without.
public struct ThemeFetch<Values: ThemeValues>: ThemeValues {
  let values: Values
  /// The prefix of each path.
  public let prefix: String

  /// The value at a path below the prefix; nil where nothing is defined there.
  ///
  /// - Throws: `theme-constant-missing` and `theme-constant-cycle`, with the place.
  public func value(forPath path: String) throws(ThemeError) -> ThemeValue? {
    try values.value(forPath: joined(path))
  }

  /// The image at a path below the prefix; nil where there is none.
  public func image(forPath path: String) -> ThemeImage? { values.image(forPath: joined(path)) }

  private func joined(_ path: String) -> String { path.isEmpty ? prefix : prefix.isEmpty ? path : prefix + "." + path }
}

extension ThemeFetch: Sendable where Values: Sendable {}

extension Theme: ThemeValues {
  /// The value that a path leads to on the theme's device; an inherited theme's value where this one has none.
  public func value(forPath path: String) throws(ThemeError) -> ThemeValue? {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false)
    if let node = try node(at: keys), let value = try ThemeEvaluation.value(node, in: self) {
      guard case .group = value, let inherited = try base?.value(forPath: path) else { return value }
      return value.filled(from: inherited)
    }
    return try base?.value(forPath: path)
  }

  /// The image that a path names, from the folder of the theme that defines the path; nil where there is no name.
  public func image(forPath path: String) -> ThemeImage? {
    guard let value = try? value(forPath: path), case .string(let name) = value else { return nil }
    // The folder is that of the theme which has the value.
    let keys = path.split(separator: ".", omittingEmptySubsequences: false)
    let isOwn = ((try? node(at: keys)) ?? nil) != nil
    guard isOwn else { return base?.image(forPath: path) }
    return ThemeImage(name, folder: folder, device: device)
  }
}

extension ThemeValue {
  /// A group with the members of another one that it has not got.
  func filled(from other: ThemeValue) -> ThemeValue {
    guard case .group(let own) = self, case .group(let inherited) = other else { return self }
    var members = own.map { member in
      other[member.key].map { ThemeValue.Member(member.key, member.value.filled(from: $0)) } ?? member
    }
    members += inherited.filter { self[$0.key] == nil }
    return .group(members)
  }
}
