import MPaaSSupport

/// The products of a Swift package, as far as its manifest tells them.
package struct PackageProducts: Sendable, Equatable, ExpressibleByArrayLiteral {
  package var names: [String]
  /// True where there are no others.
  package var isComplete: Bool

  package init(_ names: [String], isComplete: Bool = true) {
    self.names = names
    self.isComplete = isComplete
  }

  package init(arrayLiteral elements: String...) { self.init(elements) }
}

/// The statements about products in the manifest of a Swift package.
package enum PackageManifest {
  /// The names of the products that a manifest declares by literals (`.library(name: "Cart", …)`).
  ///
  /// Names that are put together when the manifest runs are not among them, and the result is not complete then.
  package static func products(_ text: String) -> PackageProducts {
    // An address in a literal ends a line too early, without a product.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
      line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    }
    let code = String(lines.joined(separator: "\n"))
    var products = PackageProducts([])
    for kind in [".library(", ".executable(", ".plugin("] {
      for start in code.ranges(of: kind).map(\.upperBound) {
        let rest = code[start...].drop(while: \.isWhitespace)
        // `.plugin(` stands for what a target uses, too: there its name has nothing to do with products.
        guard rest.hasPrefix("name:") else { continue }
        let value = rest.dropFirst(5).drop(while: \.isWhitespace)
        let name = value.dropFirst().prefix { $0 != "\"" && !$0.isNewline }
        guard value.hasPrefix("\""), !name.isEmpty, !name.contains("\\") else {
          products.isComplete = false
          continue
        }
        if !products.names.contains(String(name)) { products.names.append(String(name)) }
      }
    }
    // Products that are no literals of an array come from elsewhere.
    if let list = code.firstRange(of: "products:") {
      let value = code[list.upperBound...].drop(while: \.isWhitespace)
      if !value.hasPrefix("[") { products.isComplete = false }
    }
    return products
  }

  /// The products of the package in a folder; nil where no manifest can be read there.
  package static func products(in folder: String) -> PackageProducts? {
    guard let bytes = try? Bytes.reading(folder + "/Package.swift", limit: 1 << 20) else { return nil }
    return products(String(decoding: bytes.array, as: UTF8.self))
  }
}
