/// A library that an image is, or that it wants.
///
/// Source: `mach-o/loader.h`, `dylib_command`.
package struct MachOLibrary: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// The image's own name, for those that are linked with it.
    case own
    case needed, weak, reexported, lazy, upward

    init?(command: UInt32) {
      switch command {
      case 0xc: self = .needed
      case 0xd: self = .own
      case 0x18: self = .weak
      case 0x1f: self = .reexported
      case 0x20: self = .lazy
      case 0x23: self = .upward
      default: return nil
      }
    }
  }

  package let kind: Kind
  /// The path, as it stands in the image.
  package let name: String
  /// Major, minor and patch in 16, 8 and 8 bits.
  package let current: UInt32
  package let compatibility: UInt32

  /// A version as three numbers with dots.
  package static func text(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
  }
}

extension MachOImage {
  package var libraries: [MachOLibrary] { commands.libraries }
  /// The folders that `@rpath` stands for, in their order.
  package var runPaths: [String] { commands.runPaths }
  /// The system of encryption, 0 where there is only room for it; nil where the image has no such command.
  package var encryption: UInt32? { commands.encryption }
  /// The place of the code signature, from the image's first byte.
  package var codeSignature: MachOBlob? { commands.codeSignature }
  /// The image's UUID as it stands there, zeros too.
  package var statedUUID: BuildID? { commands.uuid }
  /// The tables that load commands name, with the size that they are said to have.
  package var statedTables: [(name: String, place: MachOBlob)] {
    let symbolSize = UInt64(commands.symbolCount) * (header.is64 ? 16 : 12)
    let symbols = commands.symbols.map { MachOBlob(offset: $0.offset, size: symbolSize) }
    let tables: [(String, MachOBlob?)] = [
      ("symbol table", symbols), ("strings", commands.strings), ("code signature", commands.codeSignature),
      ("chained fixups", commands.chainedFixups), ("function starts", commands.functionStarts),
      ("exports", commands.exports),
    ]
    let bindings = commands.bindings.map { ("binding", $0) }
    return tables.compactMap { name, place in place.map { (name, $0) } } + bindings
  }
}
