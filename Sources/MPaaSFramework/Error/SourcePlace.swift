/// The place where something was registered: a line of a configuration file or of a source.
public struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
  /// The file's name as a reader would look for it: `MobileRuntime.plist`, `Sources/Shop/CartService.swift`.
  public let file: String
  /// From 1.
  public let line: Int

  /// Makes a place from a file's name and a line, counted from 1.
  public init(_ file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// The file and the line: `MobileRuntime.plist:12`.
  public var description: String { "\(file):\(line)" }
}
