import MPaaSSupport

/// The exported symbols of an image, which `strip` cannot remove.
///
/// Source: `mach-o/loader.h`, `dyld_info_command` ("export info is a trie"); `LC_DYLD_EXPORTS_TRIE` has the same form.
struct ExportTrie {
  struct Symbol {
    let address: UInt64
    /// The start of its name in `names`, which is NUL-terminated there.
    let name: UInt32
  }

  private(set) var symbols: [Symbol] = []
  private(set) var names: [UInt8] = []

  private static let reexport: UInt64 = 0x08
  private static let kindMask: UInt64 = 0x03
  private static let absolute: UInt64 = 0x02
  /// No compiler writes longer names.
  private static let longestName = 1 << 15

  private struct Node {
    let offset: Int
    let prefix: [UInt8]
  }

  /// - Parameter base: The address that exports count from, that of the image's header.
  init(_ trie: Bytes, base: UInt64) {
    // Names share prefixes; written out they take more than the trie, but not without end.
    var allowance = 64 * trie.count + (1 << 16)
    var seen: Set<Int> = [0]
    var stack = [Node(offset: 0, prefix: [])]
    while let node = stack.popLast() {
      guard node.offset < trie.count, allowance > 0 else { continue }
      var cursor = ByteCursor(trie.buffer, at: node.offset)
      guard let size = try? cursor.uleb(), size <= UInt64(cursor.remaining) else { continue }
      let children = cursor.offset + Int(size)
      if size > 0, let address = Self.address(&cursor) { add(node.prefix, base &+ address, &allowance) }
      cursor.offset = children
      guard let count = try? cursor.u8() else { continue }
      for _ in 0..<count {
        guard let label = try? cursor.cString(), let offset = try? cursor.uleb(), let next = Int(exactly: offset) else {
          break
        }
        allowance -= label.count + node.prefix.count
        guard allowance > 0, node.prefix.count + label.count <= Self.longestName, seen.insert(next).inserted else {
          continue
        }
        stack.append(Node(offset: next, prefix: node.prefix + label))
      }
    }
  }

  private static func address(_ cursor: inout ByteCursor) -> UInt64? {
    guard let flags = try? cursor.uleb(), flags & (reexport | absolute) == 0, flags & kindMask == 0 else { return nil }
    return try? cursor.uleb()
  }

  private mutating func add(_ name: [UInt8], _ address: UInt64, _ allowance: inout Int) {
    allowance -= name.count
    guard allowance > 0, let start = UInt32(exactly: names.count) else { return }
    symbols.append(Symbol(address: address, name: start))
    names += name
    names.append(0)
  }
}
