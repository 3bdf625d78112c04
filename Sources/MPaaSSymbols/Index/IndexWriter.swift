import CCompression
import MPaaSSupport

/// The places of the sections of an index file.
struct IndexLayout {
  private(set) var sections: [IndexFormat.Section: Range<Int>] = [:]
  let size: Int

  /// - Parameter sizes: Bytes of each section but the checksums.
  init(sizes: [IndexFormat.Section: Int]) {
    let table = IndexFormat.headerSize + IndexFormat.Section.allCases.count * IndexFormat.sectionEntrySize
    var body = 0
    for section in IndexFormat.Section.allCases where section != .checksums {
      body += Self.aligned(sizes[section] ?? 0)
    }
    body += IndexFormat.slack
    let chunks = (body + IndexFormat.chunkSize - 1) / IndexFormat.chunkSize
    sections[.checksums] = table..<table + chunks * 4
    var start = Self.aligned(table + chunks * 4)
    for section in IndexFormat.Section.allCases where section != .checksums {
      let size = sizes[section] ?? 0
      sections[section] = start..<start + size
      start += Self.aligned(size)
    }
    size = start + IndexFormat.slack
  }

  /// The offset at which the checksummed part begins.
  var body: Int { sections[.sources]?.lowerBound ?? size }

  private static func aligned(_ size: Int) -> Int {
    (size + 15) & ~15
  }
}

/// Fills the memory of an index file.
struct IndexWriter {
  private let target: UnsafeMutableRawBufferPointer
  private let layout: IndexLayout
  /// The place of the next bytes of the current section.
  private var place = 0
  private var section: IndexFormat.Section?

  init(target: UnsafeMutableRawBufferPointer, layout: IndexLayout) {
    self.target = target
    self.layout = layout
    target.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Adds bytes to a section; the pieces of one come one after another.
  mutating func put(_ bytes: UnsafeRawBufferPointer, _ section: IndexFormat.Section) {
    if self.section != section {
      self.section = section
      place = layout.sections[section]?.lowerBound ?? 0
    }
    UnsafeMutableRawBufferPointer(rebasing: target[place..<place + bytes.count]).copyMemory(from: bytes)
    place += bytes.count
  }

  /// Writes the checksums, the section table and the header.
  mutating func finish(flags: UInt32, addressSize: UInt32) {
    var checksums = ByteSink()
    var start = layout.body
    while start < layout.size {
      let end = min(start + IndexFormat.chunkSize, layout.size)
      checksums.put(number: UnsafeRawBufferPointer(rebasing: target[start..<end]).crc32)
      start = end
    }
    put(checksums.buffer, .checksums)
    var head = ByteSink()
    head.put(number: IndexFormat.magic)
    head.put(number: IndexFormat.version)
    head.put(number: UInt32(0))
    head.put(number: UInt64(layout.size))
    head.put(number: flags)
    head.put(number: addressSize)
    head.put(number: UInt32(IndexFormat.Section.allCases.count))
    head.put(number: UInt32(IndexFormat.chunkSize))
    head.put(number: UInt64(layout.body))
    for section in IndexFormat.Section.allCases {
      let range = layout.sections[section] ?? 0..<0
      head.put(number: UInt64(range.lowerBound))
      head.put(number: UInt64(range.count))
    }
    UnsafeMutableRawBufferPointer(rebasing: target[..<head.count]).copyMemory(from: head.buffer)
    let checksum = UnsafeRawBufferPointer(rebasing: target[16..<layout.body]).crc32
    target.storeBytes(of: checksum.littleEndian, toByteOffset: 12, as: UInt32.self)
  }
}

extension UnsafeRawBufferPointer {
  /// The CRC-32 of zlib and others.
  var crc32: UInt32 {
    mpaas_crc32(0, baseAddress?.assumingMemoryBound(to: UInt8.self), count)
  }
}
