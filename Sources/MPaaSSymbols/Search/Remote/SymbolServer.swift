package import MPaaSSupport

/// A server that symbol files may be got from.
package struct SymbolServer: Sendable, Hashable {
  /// Without a slash at its end.
  package let url: String
  package let layout: SymbolLayout

  package init(url: String, layout: SymbolLayout) {
    var url = url[...]
    while url.hasSuffix("/") { url = url.dropLast() }
    self.url = String(url)
    self.layout = layout
  }

  /// Reads `URL`, `LAYOUT+URL` or Microsoft's `srv*…*URL`.
  ///
  /// - Parameter layout: That of a URL alone.
  /// - Throws: `symbol-server-malformed` where it is none of them.
  package init(_ text: String, layout: SymbolLayout) throws(Diagnostic) {
    var layout = layout
    var url = text
    if text.lowercased().hasPrefix("srv*"), let last = text.split(separator: "*").last {
      layout = .symstore
      url = String(last)
    } else if let plus = text.firstIndex(of: "+"), let named = SymbolLayout(rawValue: String(text[..<plus])) {
      layout = named
      url = String(text[text.index(after: plus)...])
    }
    let lower = url.lowercased()
    guard ["http://", "https://"].contains(where: { lower.hasPrefix($0) && lower.count > $0.count }),
      !url.contains(where: { $0.isWhitespace })
    else {
      let layouts = SymbolLayout.allCases.map(\.rawValue).joined(separator: ", ")
      throw Diagnostic("symbol-server-malformed", ["value": text, "layouts": layouts], exit: .usage)
    }
    self.init(url: url, layout: layout)
  }

  /// The servers of `DEBUGINFOD_URLS`: parted by spaces; `ima:…` words are settings for what we do not check.
  package static func debuginfod(_ text: String) -> [SymbolServer] {
    text.split(whereSeparator: \.isWhitespace).compactMap { word in
      // elfutils passes over what it does not understand, too.
      word.hasPrefix("ima:") ? nil : try? SymbolServer(String(word), layout: .debuginfod)
    }
  }
}

extension String {
  /// The path with what RFC 3986 (2.3) does not leave alone percent-escaped, slashes apart.
  var percentEscapedPath: String { PercentEncoding.encode(self, keeping: "/") }
}
