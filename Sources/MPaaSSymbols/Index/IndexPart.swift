import MPaaSSupport

/// One part of an index while it is made: runs of addresses with the functions and places that they come from.
///
/// A source of debug information writes one part for each of its units. It makes nodes (functions, inlined calls,
/// symbols), then for each run of addresses `begin`, `row` by rising address, and `end`. Runs of all parts together
/// must not overlap. Addresses that no run covers are unknown.
///
/// `@unchecked Sendable`: one thread writes it, and hands it on through the lock of the builder.
package final class IndexPart: @unchecked Sendable {
  /// A function, call or symbol of this part; `none` stands for the unknown.
  package struct Node: Sendable, Equatable {
    let place: UInt32

    package static let none = Node(place: 0)
  }

  /// A name or path: bytes that somebody keeps while the index is made.
  struct Text {
    let start: UInt
    let count: UInt32
    /// Tells whether the part keeps the bytes, only until the texts are joined.
    let isKept: Bool

    var buffer: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: Int(count))
    }
  }

  struct Block {
    let address: UInt64
    let offset: UInt32
  }

  private(set) var names: [Text] = []
  private(set) var files: [Text] = []
  private(set) var digests: [(file: UInt32, digest: SourceDigest)] = []
  private(set) var nodes = ByteSink()
  private(set) var rows = ByteSink()
  private(set) var blocks: [Block] = []
  /// Tells whether something is missing that another time may be there, as a split file.
  package var isIncomplete = false
  /// Tells whether it took more than it may; nothing comes of it then.
  package private(set) var isTooLarge = false

  private var nameNumbers: [String: UInt32] = [:]
  private var fileNumbers: [String: UInt32] = [:]
  /// Memory of texts that is kept here alone.
  private var kept: [UnsafeMutableRawBufferPointer] = []
  private let budget: Int
  private let number: Int

  // The content of the last row, and the number of rows of its block.
  private var address: UInt64 = 0
  private var node: UInt32 = 0
  private var position = IndexPosition()
  private var rowCount = 0

  /// - Parameters:
  ///   - number: Its place among the parts.
  ///   - budget: Bytes that the part may take; more is of a file that was made to take memory.
  init(number: Int, budget: Int) {
    self.number = number
    self.budget = budget
  }

  deinit {
    for memory in kept { memory.deallocate() }
  }
}

// MARK: - Texts

extension IndexPart {
  /// Takes a name; 0 stands for none.
  package func name(_ text: String?) -> UInt32 {
    guard let text, !text.isEmpty else { return 0 }
    if let known = nameNumbers[text] { return known }
    let number = append(keep(text), to: &names)
    nameNumbers[text] = number
    return number
  }

  /// Takes a name whose bytes stay where they are until the index is made; not compared with the names before.
  func name(bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    // Bytes that are no UTF-8 must read the same as everywhere else.
    guard bytes.isASCII else { return name(String(utf8: bytes)) }
    guard let count = UInt32(exactly: bytes.count) else { return 0 }
    return append(Text(start: UInt(bitPattern: start), count: count, isKept: false), to: &names)
  }

  /// Takes the path of a source file; 0 stands for none.
  package func file(_ path: String?, digest: SourceDigest? = nil) -> UInt32 {
    guard let path else { return 0 }
    if let known = fileNumbers[path] { return known }
    let number = append(keep(path), to: &files)
    fileNumbers[path] = number
    if let digest { digests.append((number, digest)) }
    return number
  }

  private func append(_ text: Text, to list: inout [Text]) -> UInt32 {
    list.append(text)
    return UInt32(clamping: list.count)
  }

  private func keep(_ text: String) -> Text {
    var text = text
    return text.withUTF8 { bytes in
      // Texts of this length are no names; the readers of debug information cut them long before.
      let bytes = bytes.prefix(1 << 24)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
      memory.copyBytes(from: bytes)
      kept.append(memory)
      return Text(start: UInt(bitPattern: memory.baseAddress), count: UInt32(bytes.count), isKept: true)
    }
  }
}

// MARK: - Nodes

extension IndexPart {
  /// A function that is in no other.
  package func function(name: UInt32) -> Node {
    let place = nodes.count
    nodes.put(varint: UInt64(name) << 2 | IndexFormat.Node.function)
    return made(place)
  }

  /// A call that was inlined into `caller`, and where that calls it.
  package func call(name: UInt32, in caller: Node, at position: IndexPosition) -> Node {
    let place = nodes.count
    nodes.put(varint: UInt64(name) << 2 | IndexFormat.Node.call)
    nodes.put(varint: UInt64(UInt32(clamping: place) &+ 1 &- caller.place))
    nodes.put(varint: UInt64(position.file))
    if position.file != 0 {
      nodes.put(varint: UInt64(position.line))
      nodes.put(varint: UInt64(position.column))
    }
    return made(place)
  }

  /// A symbol, or a function without a name, that starts at `start`, for addresses of which nothing else is known.
  package func symbol(name: UInt32, start: UInt64) -> Node {
    let place = nodes.count
    nodes.put(varint: UInt64(name) << 2 | IndexFormat.Node.symbol)
    nodes.put(varint: start)
    return made(place)
  }

  private func made(_ place: Int) -> Node {
    checkSize()
    return Node(place: UInt32(clamping: place) &+ 1)
  }

  /// Bytes of what is kept of the part.
  var size: Int {
    nodes.count + rows.count + (names.count + files.count + blocks.count) * MemoryLayout<Text>.stride
  }

  /// Gives back what was only of use while it was written.
  func shrink() {
    nameNumbers = [:]
    fileNumbers = [:]
    rows.shrink()
    nodes.shrink()
  }

  /// Gives back the texts once they are joined with the other parts'.
  func forgetTexts() {
    for memory in kept { memory.deallocate() }
    kept = []
    names = []
    files = []
  }

  private func checkSize() {
    if nodes.count &+ rows.count > budget { isTooLarge = true }
  }
}

// MARK: - Rows

extension IndexPart {
  /// Starts a run at the address of its first row.
  package func begin() {
    rowCount = 0
  }

  /// From `address` on, up to the next row, code is of `node` and stands at `position`.
  @inline(__always)
  package func row(_ address: UInt64, _ node: Node, _ position: IndexPosition) {
    if rowCount > 0 {
      if node.place == self.node, position == self.position { return }
      if rowCount < IndexFormat.rowsPerBlock { return add(address, node, position, distance: address &- self.address) }
    }
    blocks.append(Block(address: address, offset: UInt32(clamping: rows.count)))
    rows.put(varint: UInt64(number))
    self.node = 0
    self.position = IndexPosition()
    rowCount = 0
    add(address, node, position, distance: 1)
    checkSize()
  }

  private func add(_ address: UInt64, _ node: Node, _ position: IndexPosition, distance: UInt64) {
    var head = distance <= 15 ? UInt8(truncatingIfNeeded: distance) : 0
    let old = self.position
    let isColumnNew = position.column != old.column || position.discriminator != old.discriminator
    if node.place != self.node { head |= IndexFormat.Row.node }
    if position.file != old.file { head |= IndexFormat.Row.file }
    if position.line != old.line { head |= IndexFormat.Row.line }
    if isColumnNew { head |= IndexFormat.Row.column }
    rows.put(head)
    if distance > 15 { rows.put(varint: distance) }
    if node.place != self.node { rows.put(zigzag: Int64(node.place) - Int64(self.node)) }
    if position.file != old.file { rows.put(varint: UInt64(position.file)) }
    if position.line != old.line { rows.put(zigzag: Int64(position.line) - Int64(old.line)) }
    if isColumnNew {
      rows.put(varint: UInt64(position.column) << 1 | (position.discriminator != 0 ? 1 : 0))
      if position.discriminator != 0 { rows.put(varint: UInt64(position.discriminator)) }
    }
    self.address = address
    self.node = node.place
    self.position = position
    rowCount &+= 1
  }

  /// Ends a run: `address` is the first that it does not cover.
  package func end(_ address: UInt64) {
    guard rowCount > 0, address > self.address else { return }
    // A row that changes nothing.
    rows.put(0)
    rows.put(varint: address &- self.address)
    rowCount = 0
  }
}

extension UnsafeRawBufferPointer {
  /// Tells whether no byte has its highest bit set.
  var isASCII: Bool {
    var offset = 0
    while offset &+ 8 <= count {
      if loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
      offset &+= 8
    }
    while offset < count {
      if self[offset] & 0x80 != 0 { return false }
      offset &+= 1
    }
    return true
  }
}
