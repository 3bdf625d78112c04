import MPaaSSupport

/// Writes a binary property list in which equal leaves stand once.
struct BinaryPropertyListWriter {
  private struct Container {
    /// The index of its first reference among all references.
    let first: Int
    let count: Int
    let isDictionary: Bool
  }

  /// The place of an object.
  private enum Object {
    case leaf(Int)
    case container(Int)
  }

  private var objects: [Object] = []
  private var containers: [Container] = []
  private var references: [UInt32] = []
  private var leaves: [UInt8] = []
  /// Numbers of leaves plus one by the hash of their bytes, in a size that is a power of two; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 1024)
  private var used = 0

  static func document(_ root: PropertyListValue) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(root)
    return writer.file()
  }

  // MARK: Objects

  /// The number of the value's object.
  private mutating func add(_ value: PropertyListValue) -> UInt32 {
    switch value.content {
    case .dictionary(let members):
      let (number, first) = open(count: members.count, isDictionary: true)
      for (index, member) in members.enumerated() { references[first + index] = add(text: member.key) }
      for (index, member) in members.enumerated() { references[first + members.count + index] = add(member.value) }
      return number
    case .array(let values):
      let (number, first) = open(count: values.count, isDictionary: false)
      for (index, value) in values.enumerated() { references[first + index] = add(value) }
      return number
    case .string(let text): return add(text: text)
    case .integer(let number):
      let start = leaves.count
      append(number)
      return leaf(from: start)
    case .real(let number):
      let start = leaves.count
      leaves.append(0x23)
      append(number.bitPattern, size: 8)
      return leaf(from: start)
    case .boolean(let value):
      let start = leaves.count
      leaves.append(value ? 0x09 : 0x08)
      return leaf(from: start)
    case .date(let date):
      let start = leaves.count
      leaves.append(0x33)
      append(date.secondsSince2001.bitPattern, size: 8)
      return leaf(from: start)
    case .data(let bytes):
      let start = leaves.count
      Self.append(kind: 0x40, count: bytes.count, to: &leaves)
      leaves += bytes
      return leaf(from: start)
    case .uid(let number):
      let start = leaves.count
      let size = number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
      leaves.append(0x80 | UInt8(size - 1))
      append(number, size: size)
      return leaf(from: start)
    }
  }

  private mutating func open(count: Int, isDictionary: Bool) -> (number: UInt32, first: Int) {
    let number = UInt32(truncatingIfNeeded: objects.count)
    let first = references.count
    objects.append(.container(containers.count))
    containers.append(Container(first: first, count: count, isDictionary: isDictionary))
    references.append(contentsOf: repeatElement(0, count: isDictionary ? 2 * count : count))
    return (number, first)
  }

  private mutating func add(text: String) -> UInt32 {
    let start = leaves.count
    var text = text
    text.withUTF8 { bytes in
      if UTF8Check.isASCII(bytes) {
        Self.append(kind: 0x50, count: bytes.count, to: &leaves)
        leaves.append(contentsOf: bytes)
      }
    }
    if leaves.count == start {
      Self.append(kind: 0x60, count: text.utf16.count, to: &leaves)
      for unit in text.utf16 {
        leaves.append(UInt8(unit >> 8))
        leaves.append(UInt8(truncatingIfNeeded: unit))
      }
    }
    return leaf(from: start)
  }

  private mutating func append(_ number: PropertyListInteger) {
    if let small = UInt64(exactly: number), small <= UInt64(Int64.max) {
      let power = small < 1 << 8 ? 0 : small < 1 << 16 ? 1 : small < 1 << 32 ? 2 : 3
      leaves.append(0x10 | UInt8(power))
      append(small, size: 1 << power)
    } else if let signed = Int64(exactly: number) {
      leaves.append(0x13)
      append(UInt64(bitPattern: signed), size: 8)
    } else {
      leaves.append(0x14)
      append(UInt64(bitPattern: number.high), size: 8)
      append(number.low, size: 8)
    }
  }

  private mutating func append(_ number: UInt64, size: Int) { Self.append(number, size: size, to: &leaves) }

  private static func append(_ number: UInt64, size: Int, to bytes: inout [UInt8]) {
    var shift = 8 * (size - 1)
    while shift >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      shift -= 8
    }
  }

  private static func append(kind: UInt8, count: Int, to bytes: inout [UInt8]) {
    guard count >= 15 else { return bytes.append(kind | UInt8(count)) }
    bytes.append(kind | 0x0f)
    let power = count < 1 << 8 ? 0 : count < 1 << 16 ? 1 : count < 1 << 32 ? 2 : 3
    bytes.append(0x10 | UInt8(power))
    append(UInt64(count), size: 1 << power, to: &bytes)
  }

  // MARK: Leaves that stand once

  /// The number of the leaf whose bytes end the leaves; they go away where the same stands there already.
  private mutating func leaf(from start: Int) -> UInt32 {
    if used * 2 >= slots.count { grow() }
    let count = leaves.count - start
    var slot = hash(start, count) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      // The bytes of a leaf also tell where they end: the same beginning is the same leaf.
      if case .leaf(let known) = objects[Int(number)], isSame(known, start, count) {
        leaves.removeLast(count)
        return number
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = UInt32(truncatingIfNeeded: objects.count)
    objects.append(.leaf(start))
    slots[slot] = number + 1
    used += 1
    return number
  }

  private func isSame(_ known: Int, _ start: Int, _ count: Int) -> Bool {
    leaves.withUnsafeBufferPointer { bytes in
      for index in 0..<count where bytes[known + index] != bytes[start + index] { return false }
      return true
    }
  }

  private func hash(_ start: Int, _ count: Int) -> Int {
    leaves.withUnsafeBytes { bytes in
      var value = UInt64(count) &* 0x9e37_79b9_7f4a_7c15
      var index = start
      let end = start + count
      while index + 8 <= end {
        value = (value ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0xff51_afd7_ed55_8ccd
        value ^= value >> 32
        index += 8
      }
      while index < end {
        value = (value ^ UInt64(bytes[index])) &* 0xc4ce_b9fe_1a85_ec53
        index += 1
      }
      value ^= value >> 29
      return Int(truncatingIfNeeded: value & 0x7fff_ffff_ffff_ffff)
    }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 4)
    for number in old where number != 0 {
      guard case .leaf(let start) = objects[Int(number - 1)] else { continue }
      var slot = hash(start, length(at: start)) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = number
    }
  }

  /// The number of bytes of a leaf, by its own beginning.
  private func length(at start: Int) -> Int {
    let marker = leaves[start]
    var count = Int(marker & 0x0f)
    var head = 1
    switch marker >> 4 {
    case 0: return 1
    case 1, 2, 3: return 1 + 1 << count
    case 8: return 2 + count
    default: break
    }
    if count == 15 {
      let size = 1 << Int(leaves[start + 1] & 0x0f)
      count = leaves[start + 2..<start + 2 + size].reduce(0) { $0 << 8 | Int($1) }
      head = 2 + size
    }
    return head + (marker >> 4 == 6 ? 2 * count : count)
  }

  // MARK: The file

  private func file() -> [UInt8] {
    let referenceSize = objects.count <= 1 << 8 ? 1 : objects.count <= 1 << 16 ? 2 : 4
    var bytes = Array("bplist00".utf8)
    bytes.reserveCapacity(leaves.count + references.count * referenceSize + objects.count * 5 + 64)
    var starts: [Int] = []
    starts.reserveCapacity(containers.count)
    for container in containers {
      starts.append(bytes.count)
      Self.append(kind: container.isDictionary ? 0xd0 : 0xa0, count: container.count, to: &bytes)
      let end = container.first + (container.isDictionary ? 2 : 1) * container.count
      for reference in references[container.first..<end] {
        Self.append(UInt64(reference), size: referenceSize, to: &bytes)
      }
    }
    let base = bytes.count
    bytes += leaves
    let table = bytes.count
    let offsetSize = table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : table < 1 << 32 ? 4 : 8
    for object in objects {
      switch object {
      case .leaf(let start): Self.append(UInt64(base + start), size: offsetSize, to: &bytes)
      case .container(let index): Self.append(UInt64(starts[index]), size: offsetSize, to: &bytes)
      }
    }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    Self.append(UInt64(objects.count), size: 8, to: &bytes)
    Self.append(0, size: 8, to: &bytes)
    Self.append(UInt64(table), size: 8, to: &bytes)
    return bytes
  }
}
