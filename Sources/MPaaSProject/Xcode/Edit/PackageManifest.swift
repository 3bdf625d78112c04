import MPaaSSupport

/// What the manifest of a Swift package says about its products.
package enum PackageManifest {
  /// The names of the products that a manifest declares by literals (`.library(name: "Cart", …)`).
  ///
  /// Names that are put together when the manifest runs are not among them.
  package static func products(_ text: String) -> [String] {
    // An address in a literal ends a line too early, which no product stands behind.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
      line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    }
    let code = String(lines.joined(separator: "\n"))
    var names: [String] = []
    for kind in [".library(", ".executable(", ".plugin("] {
      for start in code.ranges(of: kind).map(\.upperBound) {
        let rest = code[start...].drop(while: \.isWhitespace)
        guard rest.hasPrefix("name:"), let open = rest.firstIndex(of: "\"") else { continue }
        guard rest[..<open].dropFirst(5).allSatisfy(\.isWhitespace) else { continue }
        let name = rest[rest.index(after: open)...].prefix { $0 != "\"" && !$0.isNewline }
        if !name.isEmpty, !name.contains("\\"), !names.contains(String(name)) { names.append(String(name)) }
      }
    }
    return names
  }

  /// The products of the package in a folder; nil where no manifest can be read there.
  package static func products(in folder: String) -> [String]? {
    guard let bytes = try? Bytes.reading(folder + "/Package.swift", limit: 1 << 20) else { return nil }
    return products(String(decoding: bytes.array, as: UTF8.self))
  }
}
