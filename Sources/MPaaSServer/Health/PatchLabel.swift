import MPaaSSupport

/// A version of a hotpatch as apps name it: `NAME@VERSION`.
package struct PatchLabel: Sendable, Hashable, Comparable {
  package let patch: String
  package let version: String

  /// The most patches that run at once.
  package static let most = 16
  /// Bytes.
  private static let longest = 100

  /// - Returns: nil where a text is no label.
  package init?(_ text: String) {
    guard let mark = text.lastIndex(of: "@") else { return nil }
    (patch, version) = (String(text[..<mark]), String(text[text.index(after: mark)...]))
    let isName = [patch, version].allSatisfy {
      !$0.isEmpty && $0.utf8.count <= Self.longest && $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }
    guard isName else { return nil }
  }

  package static func < (left: Self, right: Self) -> Bool { (left.patch, left.version) < (right.patch, right.version) }

  /// The patches that a list names, each once; nil where there is no list, so that nothing is known.
  package static func all(_ list: [String]?) -> [PatchLabel]? {
    list.map { list in Array(Set(list.prefix(most).compactMap { PatchLabel($0) })).sorted() }
  }

  /// The identifier of an app in the name of its release, `com.example.shop@1.2`.
  package static func identity(ofRelease release: String) -> String {
    release.lastIndex(of: "@").map { String(release[..<$0]) } ?? release
  }
}
