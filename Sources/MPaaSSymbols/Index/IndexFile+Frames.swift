import MPaaSSupport

/// A frame as an index has it: texts by their offset in the pool, 0 for what is unknown.
package struct IndexedFrame: Sendable {
  package var name: UInt32 = 0
  package var file: UInt32 = 0
  package var line: UInt32 = 0
  package var column: UInt32 = 0
  package var discriminator: UInt32 = 0
  package var isInlined = false
  /// Bytes from the start of the symbol, where only a symbol table knew it.
  package var offset: UInt64?
}

extension IndexFile {
  /// Deeper chains of calls than this are damage: the reader of debug information gives up there too.
  private static let deepest = 1 << 14

  /// The answer of one block about an address: numbers of its part.
  private struct Place {
    var part = 0
    var node: UInt64 = 0
    var file: UInt64 = 0
    var line: UInt64 = 0
    var column: UInt64 = 0
    var discriminator: UInt64 = 0
  }

  /// Hands over the frames of an address, the innermost inlined call first.
  ///
  /// - Returns: Whether the file was as it was written, as far as it was read.
  @inline(__always)
  package func forEachFrame(at address: UInt64, _ body: (IndexedFrame) -> Void) -> Bool {
    forEachUnreadFrame(at: address) { frame in
      guard hasTexts(frame) else { return false }
      body(frame)
      return true
    }
  }

  /// Hands over the frames of an address without a look at their texts, for who has seen most of them before.
  ///
  /// - Parameter body: Reads what it needs of the texts; false where one of them is damaged.
  /// - Returns: Whether the file was as it was written, as far as it was read.
  @inline(__always)
  package func forEachUnreadFrame(at address: UInt64, _ body: (IndexedFrame) -> Bool) -> Bool {
    guard let block = block(of: address) else { return false }
    if block.range.isEmpty { return true }
    guard let place = place(in: block, address), let part = part(place.part) else { return false }
    var frame = IndexedFrame()
    if place.file != 0 {
      guard let file = reference(part.files, place.file) else { return false }
      frame.file = file
      frame.line = UInt32(truncatingIfNeeded: place.line)
      frame.column = UInt32(truncatingIfNeeded: place.column)
      frame.discriminator = UInt32(truncatingIfNeeded: place.discriminator)
    }
    guard place.node != 0 else {
      return frame.file == 0 || body(frame)
    }
    var node = place.node - 1
    for _ in 0..<Self.deepest {
      guard node < UInt64(part.nodeEnd - part.nodes), checkNode(part.nodes + Int(node)) else { return false }
      var cursor = QuickCursor(bytes.buffer, at: part.nodes + Int(node))
      let head = cursor.uleb()
      if head >> 2 != 0 {
        guard let name = reference(part.names, head >> 2) else { return false }
        frame.name = name
      }
      guard head & 3 == IndexFormat.Node.call else {
        return finish(&frame, head & 3, &cursor, part, address) && body(frame)
      }
      frame.isInlined = true
      guard body(frame) else { return false }
      let step = cursor.uleb()
      frame = IndexedFrame()
      let file = cursor.uleb()
      if file != 0 {
        guard let path = reference(part.files, file) else { return false }
        frame.file = path
        frame.line = UInt32(truncatingIfNeeded: cursor.uleb())
        frame.column = UInt32(truncatingIfNeeded: cursor.uleb())
      }
      // Only back, so that the chain ends.
      guard cursor.offset(in: bytes.buffer) <= part.nodeEnd, step > 0, step <= node else { return false }
      node -= step
    }
    return false
  }

  /// Reads what the outermost node adds to its frame.
  private func finish(
    _ frame: inout IndexedFrame, _ kind: UInt64, _ cursor: inout QuickCursor, _ part: PartTables, _ address: UInt64
  ) -> Bool {
    if kind == IndexFormat.Node.symbol { frame.offset = address &- cursor.uleb() }
    return cursor.offset(in: bytes.buffer) <= part.nodeEnd
  }

  /// True if the texts that a frame names are as they were written.
  @inline(__always)
  private func hasTexts(_ frame: IndexedFrame) -> Bool {
    (frame.name == 0 || text(frame.name) != nil) && (frame.file == 0 || text(frame.file) != nil)
  }

  @inline(__always)
  private func checkNode(_ start: Int) -> Bool {
    isIntact(start, min(start &+ 48, nodes.upperBound))
  }

  // MARK: Blocks

  private struct Block {
    var address: UInt64 = 0
    var range = 0..<0
  }

  @inline(__always)
  private func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
    Number(littleEndian: bytes.buffer.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// The block that an address falls into, an empty one where there is none; nil where the tables are damaged.
  @inline(__always)
  private func block(of address: UInt64) -> Block? {
    var low = 0
    let pageCount = pages.count / IndexFormat.pageSize
    var high = pageCount
    while low < high {
      let middle = (low &+ high) &>> 1
      if number(pages.lowerBound &+ middle &* IndexFormat.pageSize) <= address {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return Block() }
    let page = pages.lowerBound + (low - 1) * IndexFormat.pageSize
    let base: UInt64 = number(page)
    let entryCount = entries.count / IndexFormat.entrySize
    let first = Int(number(page + 8) as UInt32)
    let next = low < pageCount ? Int(number(page + IndexFormat.pageSize + 8) as UInt32) : entryCount
    guard first < next, next <= entryCount,
      isIntact(
        entries.lowerBound + first * IndexFormat.entrySize,
        min(entries.lowerBound + (next + 1) * IndexFormat.entrySize, entries.upperBound))
    else { return nil }
    return block(first, next, base, address, entryCount)
  }

  @inline(__always)
  private func block(_ first: Int, _ next: Int, _ base: UInt64, _ address: UInt64, _ entryCount: Int) -> Block? {
    let wanted = UInt32(clamping: address &- base)
    var low = first
    var high = next
    while low < high {
      let middle = (low &+ high) &>> 1
      let start: UInt32 = number(entries.lowerBound &+ middle &* IndexFormat.entrySize)
      if start <= wanted { low = middle &+ 1 } else { high = middle }
    }
    guard low > first else { return nil }
    let entry = entries.lowerBound + (low - 1) * IndexFormat.entrySize
    let start = Int(number(entry + 4) as UInt32)
    let end = low < entryCount ? Int(number(entry + IndexFormat.entrySize + 4) as UInt32) : blocks.count
    guard start < end, end <= blocks.count, isIntact(blocks.lowerBound + start, blocks.lowerBound + end) else {
      return nil
    }
    return Block(
      address: base &+ UInt64(number(entry) as UInt32),
      range: blocks.lowerBound + start..<blocks.lowerBound + end)
  }

  /// Reads a block's rows up to the last that is not above the address.
  @inline(__always)
  private func place(in block: Block, _ address: UInt64) -> Place? {
    var cursor = QuickCursor(bytes.buffer, at: block.range.lowerBound)
    let end = cursor.position(of: block.range.upperBound, in: bytes.buffer)
    var place = Place()
    place.part = Int(truncatingIfNeeded: cursor.uleb())
    // The first row begins at the block's address, whatever wraps there.
    var current = block.address &- 1
    var isFirst = true
    while cursor.position < end {
      let head = cursor.u8()
      var distance = UInt64(head & IndexFormat.Row.distance)
      if distance == 0 { distance = cursor.uleb() }
      let (next, overflow) = current.addingReportingOverflow(distance)
      if overflow || next > address, !isFirst { break }
      isFirst = false
      current = next
      if head == 0 {
        place.node = 0
        place.file = 0
        continue
      }
      if head & IndexFormat.Row.node != 0 { place.node = place.node &+ cursor.zigzag() }
      if head & IndexFormat.Row.file != 0 { place.file = cursor.uleb() }
      if head & IndexFormat.Row.line != 0 { place.line = place.line &+ cursor.zigzag() }
      if head & IndexFormat.Row.column != 0 {
        let column = cursor.uleb()
        place.column = column >> 1
        place.discriminator = column & 1 != 0 ? cursor.uleb() : 0
      }
    }
    return isFirst ? nil : place
  }

  // MARK: Parts and texts

  private struct PartTables {
    let nodes: Int
    let nodeEnd: Int
    let names: Int
    let files: Int
  }

  @inline(__always)
  private func part(_ index: Int) -> PartTables? {
    let count = parts.count / IndexFormat.partSize
    guard index >= 0, index < count else { return nil }
    let record = parts.lowerBound + index * IndexFormat.partSize
    guard isIntact(record, min(record + 2 * IndexFormat.partSize, parts.upperBound)) else { return nil }
    let start = Int(number(record) as UInt32)
    let end = index + 1 < count ? Int(number(record + IndexFormat.partSize) as UInt32) : nodes.count
    guard start <= end, end <= nodes.count else { return nil }
    return PartTables(
      nodes: nodes.lowerBound + start, nodeEnd: nodes.lowerBound + end, names: Int(number(record + 4) as UInt32),
      files: Int(number(record + 8) as UInt32))
  }

  /// The pool offset of a part's name or file, which count from 1.
  @inline(__always)
  private func reference(_ table: Int, _ index: UInt64) -> UInt32? {
    guard index <= UInt64(UInt32.max) else { return nil }
    let place = references.lowerBound &+ (table &+ Int(index) &- 1) &* 4
    guard place &+ 4 <= references.upperBound, isIntact(place, place &+ 4) else { return nil }
    return number(place)
  }

  /// The text at an offset of the pool; nil where there is none or it is damaged.
  @inline(__always)
  package func text(_ offset: UInt32) -> UnsafeRawBufferPointer? {
    let start = pool.lowerBound + Int(offset)
    guard offset > 0, start < pool.upperBound, isIntact(start, min(start + 10, pool.upperBound)) else { return nil }
    var cursor = QuickCursor(bytes.buffer, at: start)
    let count = cursor.uleb()
    let first = cursor.offset(in: bytes.buffer)
    guard first <= pool.upperBound, count <= UInt64(pool.upperBound - first) else { return nil }
    let end = first + Int(count)
    guard count == 0 || isIntact(first, end) else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes.buffer[first..<end])
  }

  /// The digest that the compiler wrote of a source file, by the pool offset of its path.
  package func digest(ofFile file: UInt32) -> SourceDigest? {
    guard digests.count >= IndexFormat.digestSize, isIntact(digests.lowerBound, digests.upperBound) else { return nil }
    var low = 0
    var high = digests.count / IndexFormat.digestSize
    while low < high {
      let middle = (low + high) / 2
      let place = digests.lowerBound + middle * IndexFormat.digestSize
      let path: UInt32 = number(place)
      if path == file {
        return SourceDigest(
          high: (number(place + 4) as UInt64).byteSwapped, low: (number(place + 12) as UInt64).byteSwapped)
      }
      if path < file { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
