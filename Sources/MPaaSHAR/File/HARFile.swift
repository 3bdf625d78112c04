package import MPaaSJSON
import MPaaSSupport

/// A recording of HTTP in the format HAR 1.2: requests with their responses.
///
/// Members that the format does not know stay where they are, with their order and their digits.
package struct HARFile: Sendable, Equatable {
  /// The whole document; its entries are those of `entries`.
  private var root: JSONNode
  /// The exchanges in the order of the file.
  package var entries: [HAREntry]

  /// The most bytes that a recording may have.
  package static let limit = 256 << 20
  /// The most objects and arrays inside each other.
  package static let depth = 512

  /// Creates an empty recording.
  package init(creator: String, version: String) {
    root = JSONNode(members: [
      (
        "log",
        JSONNode(members: [
          ("version", JSONNode(text: "1.2")),
          (
            "creator",
            JSONNode(members: [("name", JSONNode(text: creator)), ("version", JSONNode(text: version))])
          ),
          ("entries", JSONNode(elements: [])),
        ])
      )
    ])
    entries = []
  }

  /// Reads a recording; it may begin with a byte order mark.
  ///
  /// - Throws: `HARError` `har-malformed`, `har-shape`, `har-too-large`.
  package init(_ bytes: [UInt8], file: String) throws(HARError) {
    guard bytes.count <= Self.limit else {
      throw HARError(.tooLarge, ["limit": String(Self.limit)], at: .file(file))
    }
    do throws(JSONSyntaxError) {
      root = try JSONSource(parsing: bytes, file: file, depth: Self.depth).root
    } catch {
      let place = Place.text(file: file, line: error.position.line, column: error.position.column)
      throw HARError(.malformed, ["problem": error.code.rawValue, "detail": error.detail], at: place)
    }
    guard let log = root["log"], log.members != nil else { throw HARError.shape("log", in: file, at: root) }
    guard let elements = log["entries"]?.elements else { throw HARError.shape("log.entries", in: file, at: log) }
    entries = []
    entries.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      entries.append(try HAREntry(element, path: "log.entries[\(index)]", file: file))
    }
  }

  /// The version that the file says; 1.2 where it says none, as the format has it.
  package var version: String { root["log"]?["version"]?.string ?? "1.2" }

  /// The program that made the recording.
  package var creator: String? { root["log"]?["creator"]?["name"]?.string }

  /// The document with its entries.
  package var node: JSONNode {
    guard let log = root["log"] else { return root }
    return root.replacing("log", with: log.replacing("entries", with: JSONNode(elements: entries.map(\.node))))
  }

  /// The document over several lines, with a line end behind it.
  package var bytes: [UInt8] {
    var text: [UInt8] = []
    node.append(to: &text, depth: 0)
    text.append(UInt8(ascii: "\n"))
    return text
  }
}
