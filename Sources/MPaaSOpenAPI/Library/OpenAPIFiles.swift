package import MPaaSSupport

/// The files that a description may be made of.
package struct OpenAPIFiles: Sendable {
  /// The most files of a description.
  package static let mostFiles = 10_000
  /// The most bytes of all files together.
  package static let mostBytes = 64 << 20

  package let client: FileClient
  /// True if references may lead out of the folder of the first file.
  package let allowsOutside: Bool

  package init(client: FileClient = .live, allowsOutside: Bool = false) {
    self.client = client
    self.allowsOutside = allowsOutside
  }
}

/// A path as `..` and `.` in it say, without a look at the disk.
struct OpenAPIPath {
  let isAbsolute: Bool
  let parts: [Substring]

  init(_ text: String) {
    isAbsolute = text.utf8.first == UInt8(ascii: "/")
    var kept: [Substring] = []
    for part in text.split(separator: "/") where part != "." {
      if part == "..", let last = kept.last, last != ".." {
        kept.removeLast()
      } else if part != ".." || !text.hasPrefix("/") {
        kept.append(part)
      }
    }
    parts = kept
  }

  var text: String { (isAbsolute ? "/" : "") + parts.joined(separator: "/") }

  /// Tells whether this is inside of the folder `other`.
  func isInside(_ other: OpenAPIPath) -> Bool {
    isAbsolute == other.isAbsolute && parts.count > other.parts.count && parts.starts(with: other.parts)
      && !parts.dropFirst(other.parts.count).contains("..")
  }
}
