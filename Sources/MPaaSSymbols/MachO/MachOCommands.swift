import MPaaSSupport

/// The facts of the load commands of an image.
///
/// Source: `mach-o/loader.h`.
struct MachOCommands: Sendable {
  private(set) var segments: [MachOSegment] = []
  private(set) var sections: [MachOSection] = []
  private(set) var uuid: BuildID?
  private(set) var symbols: MachOBlob?
  private(set) var symbolCount: UInt32 = 0
  private(set) var strings: MachOBlob?
  /// Tells how many symbols only the image itself knows, sources' included; nil where it does not tell.
  private(set) var localSymbolCount: UInt32?
  private(set) var functionStarts: MachOBlob?
  private(set) var exports: MachOBlob?
  /// The system of encryption (0 for room that a store may encrypt); nil where there is no such command.
  private(set) var encryption: UInt32?
  /// Image and libraries by `LC_ID_DYLIB`, `LC_LOAD_DYLIB` and others of the kind, in their order.
  private(set) var libraries: [MachOLibrary] = []
  private(set) var runPaths: [String] = []
  private(set) var codeSignature: MachOBlob?
  private(set) var chainedFixups: MachOBlob?
  /// The programs of `dyld` that bind, at the start and lazily.
  private(set) var bindings: [MachOBlob] = []
  /// One, or two where the image is for macOS and for Mac Catalyst.
  private(set) var builds: [MachOBuild] = []

  private enum Command {
    static let segment: UInt32 = 0x1
    static let symbolTable: UInt32 = 0x2
    static let dynamicSymbolTable: UInt32 = 0xb
    static let segment64: UInt32 = 0x19
    static let uuid: UInt32 = 0x1b
    static let runPath: UInt32 = 0x1c
    static let codeSignature: UInt32 = 0x1d
    static let encryption: UInt32 = 0x21
    static let dyldInfo: UInt32 = 0x22
    static let functionStarts: UInt32 = 0x26
    static let encryption64: UInt32 = 0x2c
    static let build: UInt32 = 0x32
    static let exportsTrie: UInt32 = 0x33
    static let chainedFixups: UInt32 = 0x34
    /// Set where the loader must understand the command.
    static let required: UInt32 = 0x8000_0000
  }

  /// No linker writes more; each takes memory.
  private static let mostSections = 1 << 16

  init(_ bytes: Bytes, _ header: MachOHeader) throws(MachOError) {
    let start = header.size
    let (end, overflow) = start.addingReportingOverflow(Int(header.commandSize))
    guard !overflow, end <= bytes.count else {
      throw MachOError(.truncated, offset: 20, value: UInt64(header.commandSize))
    }
    var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes.buffer[..<end]), bigEndian: header.bigEndian)
    cursor.offset = start
    for _ in 0..<header.commandCount {
      let place = cursor.offset
      do throws(ByteError) {
        let command = try cursor.u32() & ~Command.required
        let size = Int(try cursor.u32())
        guard size >= 8, size <= end - place else { throw ByteError(code: .unsupportedSize, offset: place + 4) }
        var fields = ByteCursor(
          UnsafeRawBufferPointer(rebasing: bytes.buffer[..<(place + size)]), at: place + 8,
          bigEndian: header.bigEndian)
        try read(command, &fields)
        cursor.offset = place + size
      } catch {
        throw MachOError(.badCommand, offset: UInt64(place), value: UInt64(error.offset))
      }
      guard sections.count <= Self.mostSections, builds.count <= Self.mostSections else {
        throw MachOError(.tooMany, offset: UInt64(place), value: UInt64(sections.count))
      }
    }
  }

  private mutating func read(_ command: UInt32, _ fields: inout ByteCursor) throws(ByteError) {
    switch command {
    case Command.segment: try readSegment(&fields, is64: false)
    case Command.segment64: try readSegment(&fields, is64: true)
    case Command.uuid: uuid = BuildID(try fields.bytes(16))
    case Command.symbolTable:
      let offset = UInt64(try fields.u32())
      symbolCount = try fields.u32()
      symbols = MachOBlob(offset: offset, size: 0)
      strings = try blob(&fields)
    case Command.dynamicSymbolTable:
      // The index of the first local symbol comes first.
      try fields.skip(4)
      localSymbolCount = try fields.u32()
    case Command.functionStarts: functionStarts = try blob(&fields)
    case Command.exportsTrie: exports = try blob(&fields)
    case Command.dyldInfo:
      // Rebasing comes first; what is bound weakly may be the image's own.
      try fields.skip(8)
      let binding = try blob(&fields)
      try fields.skip(8)
      bindings = [binding, try blob(&fields)]
      let found = try blob(&fields)
      if found.size > 0 { exports = found }
    case Command.build:
      builds.append(MachOBuild(platform: .init(rawValue: try fields.u32()), minimum: try fields.u32()))
    case let command where MachOBuild.olderCommands[command] != nil:
      if let platform = MachOBuild.olderCommands[command] {
        builds.append(MachOBuild(platform: platform, minimum: try fields.u32()))
      }
    case Command.encryption, Command.encryption64:
      try fields.skip(8)
      encryption = try fields.u32()
    case Command.runPath: runPaths.append(try Self.string(&fields))
    case Command.codeSignature: codeSignature = try blob(&fields)
    case Command.chainedFixups: chainedFixups = try blob(&fields)
    case let command where MachOLibrary.Kind(command: command) != nil:
      if let kind = MachOLibrary.Kind(command: command) { libraries.append(try Self.library(&fields, kind)) }
    default: break
    }
  }

  /// A string at the offset, from the command's start, that stands in the fields.
  private static func string(_ fields: inout ByteCursor) throws(ByteError) -> String {
    let start = fields.offset - 8
    let offset = try fields.u32()
    guard offset >= 12 else { throw ByteError(code: .unsupportedSize, offset: fields.offset - 4) }
    fields.offset = start + Int(offset)
    // Linkers fill up with NUL, but need not where the string fills the command.
    let rest = try fields.bytes(fields.remaining)
    return String(utf8: UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstIndex(of: 0) ?? rest.count)]))
  }

  private static func library(
    _ fields: inout ByteCursor, _ kind: MachOLibrary.Kind
  ) throws(ByteError) -> MachOLibrary {
    var versions = fields
    // The name's offset and the time come first.
    try versions.skip(8)
    let current = try versions.u32()
    return MachOLibrary(
      kind: kind, name: try string(&fields), current: current, compatibility: try versions.u32())
  }

  private func blob(_ fields: inout ByteCursor) throws(ByteError) -> MachOBlob {
    MachOBlob(offset: UInt64(try fields.u32()), size: UInt64(try fields.u32()))
  }

  private mutating func readSegment(_ fields: inout ByteCursor, is64: Bool) throws(ByteError) {
    let width = is64 ? 8 : 4
    let name = try Self.name(&fields)
    let address = try fields.unsigned(size: width)
    let size = try fields.unsigned(size: width)
    let offset = try fields.unsigned(size: width)
    let fileSize = try fields.unsigned(size: width)
    let maximum = try fields.u32()
    let initial = try fields.u32()
    let count = try fields.u32()
    try fields.skip(4)
    segments.append(
      MachOSegment(
        name: name, address: address, size: size, offset: offset, fileSize: fileSize, maximumProtection: maximum,
        initialProtection: initial))
    for _ in 0..<count { sections.append(try Self.section(&fields, is64: is64)) }
  }

  private static func section(_ fields: inout ByteCursor, is64: Bool) throws(ByteError) -> MachOSection {
    let width = is64 ? 8 : 4
    let name = try name(&fields)
    let segment = try Self.name(&fields)
    let address = try fields.unsigned(size: width)
    let size = try fields.unsigned(size: width)
    let offset = try fields.u32()
    // The alignment.
    try fields.skip(4)
    let relocations = try fields.u32()
    let count = try fields.u32()
    let flags = try fields.u32()
    try fields.skip(is64 ? 12 : 8)
    return MachOSection(
      segment: segment, name: name, address: address, size: size, offset: UInt64(offset),
      relocationOffset: UInt64(relocations), relocationCount: count, flags: flags)
  }

  /// A name in 16 bytes, filled up with NUL.
  private static func name(_ fields: inout ByteCursor) throws(ByteError) -> String {
    let bytes = try fields.bytes(16)
    return String(utf8: UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.firstIndex(of: 0) ?? 16)]))
  }
}
