package import MPaaSSupport

extension ThemeSheet {
  /// Draws the sheet into a file, as the ending of its name asks.
  ///
  /// - Parameters:
  ///   - scale: Pixels of a point, in a PNG.
  ///   - replaces: Replaces a file that is there.
  /// - Throws: `theme-output-kind` where the name ends neither in `.svg` nor in `.png`; `theme-output-exists`; `FileError`.
  package func write(to path: String, scale: Int, replaces: Bool, by disk: FileClient = .live) throws {
    let name = path.lowercased()
    let isPNG = name.hasSuffix(".png")
    guard isPNG || name.hasSuffix(".svg") else { throw ThemeError(.outputKind, ["file": path]) }
    guard replaces || disk.kind(path) != .file else { throw ThemeError(.outputExists, ["file": path]) }
    try disk.write(isPNG ? png(scale: scale) : Array(svg.utf8), to: path)
  }
}

extension ThemeError.Code {
  /// A file of a kind that is not drawn.
  package static var outputKind: Self { ThemeError.Code("theme-output-kind", exit: .usage) }
}
