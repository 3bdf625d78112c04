import MPaaSSupport

/// A pattern of paths as `.gitignore` has them.
///
/// - Source: gitignore(5).
package struct IgnorePattern: Sendable {
  private enum Element: Sendable, Equatable {
    case any
    case one
    case byte(UInt8)
    case set([ClosedRange<UInt8>], isNegated: Bool)
  }

  /// The parts between slashes; nil stands for `**`.
  private var parts: [[Element]?] = []
  package private(set) var isNegated = false
  private var needsFolder = false
  /// False where the pattern is for a name in any folder.
  private var isAnchored = false

  /// Reads a line; nil for one that is empty or a comment.
  package init?(_ line: String) {
    var text = Array(line.utf8)[...]
    while let last = text.last, last == 0x20 || last == 0x0d || last == 0x09 { text = text.dropLast() }
    guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
    if first == UInt8(ascii: "!") {
      isNegated = true
      text = text.dropFirst()
    }
    if text.last == UInt8(ascii: "/") {
      needsFolder = true
      text = text.dropLast()
    }
    guard !text.isEmpty else { return nil }
    isAnchored = text.contains(UInt8(ascii: "/"))
    parts = text.split(separator: UInt8(ascii: "/")).map { part in
      part.elementsEqual("**".utf8) ? nil : Self.elements(part)
    }
  }

  private static func elements(_ text: ArraySlice<UInt8>) -> [Element] {
    var elements: [Element] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if elements.last != .any { elements.append(.any) }
      case UInt8(ascii: "?"): elements.append(.one)
      case UInt8(ascii: "\\"): elements.append(.byte(rest.popFirst() ?? byte))
      case UInt8(ascii: "["):
        guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
          elements.append(.byte(byte))
          continue
        }
        elements.append(set(rest[..<end]))
        rest = rest[(end + 1)...]
      default: elements.append(.byte(byte))
      }
    }
    return elements
  }

  private static func set(_ text: ArraySlice<UInt8>) -> Element {
    var rest = text
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest = rest.dropFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let low = rest.popFirst() {
      if rest.count > 1, rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high >= low {
        ranges.append(low...high)
        rest = rest.dropFirst(2)
      } else {
        ranges.append(low...low)
      }
    }
    return .set(ranges, isNegated: isNegated)
  }

  /// Tells whether the pattern is for a path, which is relative to the pattern's folder.
  package func matches(_ path: Substring, isFolder: Bool) -> Bool {
    if needsFolder, !isFolder { return false }
    let names = path.utf8.split(separator: UInt8(ascii: "/"))
    guard isAnchored else {
      guard let part = parts.first, let name = names.last else { return false }
      return part.map { Self.fits($0, Array(name)) } ?? true
    }
    return Wildcards.match(parts, names.map(Array.init)) {
      $0 == nil
    } takes: { part, name in
      part.map { Self.fits($0, name) } ?? true
    }
  }

  private static func fits(_ elements: [Element], _ name: [UInt8]) -> Bool {
    Wildcards.match(elements, name) {
      $0 == .any
    } takes: { element, byte in
      switch element {
      case .any, .one: true
      case .byte(let wanted): wanted == byte
      case .set(let ranges, let isNegated): ranges.contains { $0.contains(byte) } != isNegated
      }
    }
  }
}
