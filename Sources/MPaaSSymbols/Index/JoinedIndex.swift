import MPaaSSupport

/// The sections of an index, joined from its parts.
struct JoinedIndex: ~Copyable {
  private var pool = TextPool()
  private var partTable = ByteSink()
  private var references = ByteSink(capacity: 1 << 16)
  private var nodeCount = 0
  private var digests: [UInt32: SourceDigest] = [:]

  /// Takes the names and files of the next part.
  mutating func add(_ part: IndexPart) throws(IndexBuildError) {
    partTable.put(number: try Self.small(nodeCount))
    partTable.put(number: try Self.small(references.count / 4))
    for name in part.names { references.put(number: try offset(of: name)) }
    partTable.put(number: try Self.small(references.count / 4))
    var files: [UInt32] = []
    for file in part.files { files.append(try offset(of: file)) }
    for file in files { references.put(number: file) }
    for (file, digest) in part.digests {
      let path = files[Int(file) - 1]
      if digests[path] == nil { digests[path] = digest }
    }
    nodeCount += part.nodes.count
    part.forgetTexts()
  }

  private mutating func offset(of text: IndexPart.Text) throws(IndexBuildError) -> UInt32 {
    guard let offset = pool.offset(of: text) else { throw .tooLarge }
    return offset
  }

  private static func small(_ number: Int) throws(IndexBuildError) -> UInt32 {
    guard let number = UInt32(exactly: number) else { throw .tooLarge }
    return number
  }

  /// Puts the file together.
  ///
  /// - Parameter blocks: The parts' blocks by rising address.
  borrowing func file(
    _ builder: IndexBuilder, blocks: [IndexBuilder.BlockPlace], _ parts: [IndexPart]
  ) throws(IndexBuildError) -> Bytes {
    let addresses = try AddressTable(blocks)
    let sources = Self.sources(builder.files)
    let digestTable = digestTable()
    let blockBytes = blocks.reduce(0) { $0 + Int($1.size) }
    _ = try Self.small(blockBytes)
    let sizes: [IndexFormat.Section: Int] = [
      .sources: sources.count, .pages: addresses.pages.count, .entries: addresses.entries.count, .blocks: blockBytes,
      .parts: partTable.count, .nodes: nodeCount, .references: references.count, .pool: pool.bytes.count,
      .digests: digestTable.count,
    ]
    let layout = IndexLayout(sizes: sizes)
    return Bytes(capacity: layout.size) { target in
      var writer = IndexWriter(target: target, layout: layout)
      writer.put(sources.buffer, .sources)
      writer.put(addresses.pages.buffer, .pages)
      writer.put(addresses.entries.buffer, .entries)
      for block in blocks {
        let rows = parts[Int(block.part)].rows.buffer
        writer.put(UnsafeRawBufferPointer(rebasing: rows[Int(block.offset)..<Int(block.offset + block.size)]), .blocks)
      }
      writer.put(partTable.buffer, .parts)
      for part in parts { writer.put(part.nodes.buffer, .nodes) }
      writer.put(references.buffer, .references)
      writer.put(pool.bytes.buffer, .pool)
      writer.put(digestTable.buffer, .digests)
      writer.finish(
        flags: builder.hasDebugInfo ? IndexFormat.Flags.hasDebugInfo : 0, addressSize: UInt32(builder.addressSize))
      return layout.size
    }
  }

  private static func sources(_ files: [IndexedFile]) -> ByteSink {
    var sink = ByteSink()
    sink.put(varint: UInt64(files.count))
    for file in files {
      sink.put(file.role.rawValue)
      sink.put(counted: file.path)
      sink.put(number: file.size)
      sink.put(number: file.modified)
      sink.put(counted: file.buildID?.hex ?? "")
    }
    return sink
  }

  private borrowing func digestTable() -> ByteSink {
    var sink = ByteSink()
    for (path, digest) in digests.sorted(by: { $0.key < $1.key }) {
      sink.put(number: path)
      sink.put(number: digest.high.bigEndian)
      sink.put(number: digest.low.bigEndian)
    }
    return sink
  }
}

/// The pages and entries that lead from an address to its block.
private struct AddressTable: ~Copyable {
  var pages = ByteSink()
  var entries = ByteSink()

  init(_ blocks: [IndexBuilder.BlockPlace]) throws(IndexBuildError) {
    var base: UInt64 = 0
    var inPage = IndexFormat.entriesPerPage
    var offset: UInt32 = 0
    for (number, block) in blocks.enumerated() {
      // Addresses of a page are told in 32 bits from its first.
      if inPage == IndexFormat.entriesPerPage || block.address - base > UInt64(UInt32.max) {
        guard let first = UInt32(exactly: number) else { throw .tooLarge }
        base = block.address
        inPage = 0
        pages.put(number: base)
        pages.put(number: first)
        pages.put(number: UInt32(0))
      }
      entries.put(number: UInt32(block.address - base))
      entries.put(number: offset)
      offset &+= block.size
      inPage += 1
    }
  }
}
