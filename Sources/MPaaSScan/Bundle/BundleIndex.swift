/// The bundles of a report by their paths, for "which of them has this file".
struct BundleIndex {
  private let byPath: [String: BundleFacts]

  init(_ bundles: [BundleFacts]) {
    byPath = Dictionary(bundles.map { ($0.path, $0) }) { $1 }
  }

  /// The bundles that a file is in, the innermost first.
  func bundles(around path: String) -> [BundleFacts] {
    guard !byPath.isEmpty else { return [] }
    var found: [BundleFacts] = []
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/") {
      if let bundle = byPath[String(path[..<slash])] { found.append(bundle) }
      end = slash
    }
    return found
  }

  /// The innermost bundle with code that has a file; bundles of resources are of the one around them.
  func codeBundle(of path: String) -> BundleFacts? { bundles(around: path).first { $0.ending != "bundle" } }
}
