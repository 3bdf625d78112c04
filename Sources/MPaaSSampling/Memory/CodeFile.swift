import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols

/// An ELF file that code was mapped from.
struct CodeFile {
  let bytes: Bytes
  /// The parts that are loaded and not written to: what memory holds of them is what the file holds.
  let segments: [ELFSegment]
  /// The range of addresses of its code, as the file has them.
  let code: Range<UInt64>
  /// The lowest address that the file asks for.
  let loadAddress: UInt64
  let buildID: String?
  /// Tells whether its frame descriptions are where only the file, not memory, has them.
  let lacksFrameTable: Bool

  init?(_ bytes: Bytes) {
    guard let image = try? ELFImage(bytes), image.header.is64, !image.header.bigEndian else { return nil }
    self.bytes = bytes
    let loaded = image.segments.filter { $0.type == ELFSegment.load }
    segments = loaded.filter { !$0.isWritable && $0.addresses != nil }
    let ranges = loaded.filter(\.isExecutable).compactMap(\.addresses)
    guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
    code = first..<last
    loadAddress = image.loadAddress
    buildID = image.buildID?.description
    lacksFrameTable =
      image.section(named: ".eh_frame_hdr") == nil || image.section(named: ".debug_frame") != nil
      || image.section(named: ".zdebug_frame") != nil
  }

  /// The number that was added to the file's addresses where a part of it was mapped; nil where no code is mapped so.
  func bias(mappedAt address: UInt64, offset: UInt64) -> UInt64? {
    let page = { (number: UInt64) in number & ~4095 }
    let segment = segments.first { segment in
      segment.isExecutable && page(segment.offset) <= offset && offset < segment.offset &+ max(segment.fileSize, 1)
    }
    guard let segment else { return nil }
    return address &- (page(segment.address) &+ (offset &- page(segment.offset)))
  }
}

/// Files that code was mapped from, each opened once.
final class CodeFiles {
  private var known: [String: CodeFile?] = [:]
  private let open: (String) -> Bytes?

  init(open: @escaping (String) -> Bytes? = { FileStatus($0)?.kind == .file ? try? Bytes.mapping($0) : nil }) {
    self.open = open
  }

  func file(_ path: String) -> CodeFile? {
    if let known = known[path] { return known }
    let file = path == Self.kernelCode ? Self.ownKernelCode().flatMap(CodeFile.init) : open(path).flatMap(CodeFile.init)
    known[path] = .some(file)
    return file
  }

  /// The name of the code that the kernel maps into every process.
  static let kernelCode = "[vdso]"

  /// The kernel's code as this process has it: it is the same in all.
  private static func ownKernelCode() -> Bytes? {
    var found: (start: UInt64, size: UInt64)?
    ProcessMaps.each(of: ProcessStatus.own) { map in
      if map.path == kernelCode { found = (map.start, map.end - map.start) }
    }
    guard let found else { return nil }
    let bytes = LiveMemory(process: ProcessStatus.own).bytes(at: found.start, count: Int(clamping: found.size))
    return bytes.isEmpty ? nil : Bytes(bytes)
  }
}
