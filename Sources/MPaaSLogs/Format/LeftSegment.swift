import MPaaSSupport

/// A staging segment of another process, as a block of kind `recovered` carries it.
package struct LeftSegment {
  package let wrappedKey: [UInt8]
  package let boot: UInt64
  package let generation: UInt64
  /// The records as they were staged.
  package let bytes: [UInt8]

  package init(wrappedKey: [UInt8], boot: UInt64, generation: UInt64, bytes: [UInt8]) {
    self.wrappedKey = wrappedKey
    self.boot = boot
    self.generation = generation
    self.bytes = bytes
  }

  package init?(_ content: UnsafeRawBufferPointer) {
    var cursor = ByteCursor(content)
    guard let boot = try? cursor.u64(), let generation = try? cursor.u64(), let size = try? cursor.u32(),
      let key = try? cursor.bytes(Int(size))
    else { return nil }
    self.init(
      wrappedKey: Array(key), boot: boot, generation: generation, bytes: Array(content[cursor.offset...]))
  }

  package var content: [UInt8] {
    var content: [UInt8] = []
    content.append(number: boot)
    content.append(number: generation)
    content.append(number: UInt32(wrappedKey.count))
    return content + wrappedKey + bytes
  }
}
