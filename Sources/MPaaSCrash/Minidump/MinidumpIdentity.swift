import MPaaSCrashReport
import MPaaSSupport

/// The names of a module of a dump: build ID, debug identifier, code identifier.
struct MinidumpIdentity {
  /// Lower-case hexadecimal: the ELF build ID, the Mach-O UUID, or the GUID of a PDB.
  var buildID = ""
  /// Breakpad's name for it: GUID and age in upper-case hexadecimal.
  var debugID: String?
  var debugFile: String?

  /// A GUID with dashes, in the order in which it is read aloud.
  static func guid(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> String {
    IPSWriter.uuid(ordered(bytes, isBigEndian).hexadecimal)
  }

  /// The bytes of a GUID with its three first numbers most significant byte first.
  private static func ordered(_ bytes: UnsafeRawBufferPointer, _ isBigEndian: Bool) -> [UInt8] {
    var id = Array(bytes.prefix(16)) + [UInt8](repeating: 0, count: max(16 - bytes.count, 0))
    if !isBigEndian {
      id[0..<4].reverse()
      id[4..<6].reverse()
      id[6..<8].reverse()
    }
    return id
  }

  init() {}

  /// - Parameters:
  ///   - record: The CodeView record of the module.
  ///   - isELF: Whether the dump is of a system whose files have build IDs; a GUID stands for the first bytes of one.
  /// - Source: Breakpad, `minidump_format.h`, `MDCVInfoPDB70`, `MDCVInfoPDB20`, `MDCVInfoELF`.
  init(codeView record: UnsafeRawBufferPointer, isELF: Bool, isBigEndian: Bool) {
    var cursor = ByteCursor(record, bigEndian: isBigEndian)
    switch try? cursor.u32() {
    case 0x5344_5352:  // "RSDS"
      guard let id = try? cursor.bytes(16), let age = try? cursor.u32() else { return }
      let ordered = Self.ordered(id, isBigEndian).hexadecimal
      debugID = ordered.uppercased() + String(age, radix: 16).uppercased()
      buildID = id.allSatisfy { $0 == 0 } ? "" : isELF ? id.hexadecimal : ordered
      debugFile = Self.name(&cursor)
    case 0x3031_424e:  // "NB10"
      guard (try? cursor.u32()) != nil, let signature = try? cursor.u32(), let age = try? cursor.u32() else { return }
      let filled = signature.padded(to: 8, radix: 16)
      debugID = (filled + String(age, radix: 16)).uppercased()
      buildID = filled
      debugFile = Self.name(&cursor)
    case 0x4270_454c:  // "LEpB"
      guard let id = try? cursor.bytes(cursor.remaining), !id.isEmpty else { return }
      buildID = id.hexadecimal
      debugID = Self.ordered(id, isBigEndian).hexadecimal.uppercased() + "0"
    default: return
    }
  }

  private static func name(_ cursor: inout ByteCursor) -> String? {
    guard let rest = try? cursor.bytes(cursor.remaining) else { return nil }
    let text = rest.prefix { $0 != 0 }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
