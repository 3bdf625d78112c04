extension QRCode {
  /// The modules of light around a symbol that readers need.
  static let quiet = 4

  /// The code as an SVG element, dark on light whatever the page around it has, with a title for who cannot see it.
  ///
  /// - Parameter title: Markup: escaped already.
  package func svg(title: String) -> String {
    let side = size + 2 * Self.quiet
    return """
      <svg class=qr role=img xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" \
      shape-rendering="crispEdges"><title>\(title)</title><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/>\
      <path fill="#000" d="\(path)"/></svg>
      """
  }

  /// A rectangle for each run of dark modules in a row.
  private var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard isDark(row: row, column: column) else {
          column += 1
          continue
        }
        let start = column
        while column < size, isDark(row: row, column: column) { column += 1 }
        path += "M\(start + Self.quiet) \(row + Self.quiet)h\(column - start)v1h-\(column - start)z"
      }
    }
    return path
  }
}
