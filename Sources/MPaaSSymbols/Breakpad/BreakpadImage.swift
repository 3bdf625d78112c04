package import MPaaSSupport
import Synchronization

/// The reason why a file is not the Breakpad symbol file that it says it is.
package struct BreakpadError: Error, Sendable, Equatable {
  package enum Code: String, Sendable { case badModule, tooLarge }
  package let code: Code
  /// Bytes from the start of the file.
  package let offset: UInt64

  /// The same for a user, with the file.
  package func diagnostic(file: String) -> Diagnostic {
    Diagnostic(
      code == .badModule ? "breakpad-malformed" : "breakpad-too-large", ["file": file],
      at: .bytes(file: file, offset: offset), exit: .malformedInput)
  }
}

/// A Breakpad symbol file over its mapped bytes: one module's functions, lines, symbols and unwind rules as text.
///
/// The first line is read at once; the rest is walked over once when something is asked for. It can be shared between
/// threads. Addresses count from the module's load address.
///
/// - Source: Breakpad, "Symbol files" (docs/symbol_files.md).
package final class BreakpadImage: Sendable {
  package let bytes: Bytes
  /// The system's name, as `Linux`, `mac` or `windows`.
  package let system: String
  package let architecture: String
  package let moduleID: BreakpadID
  /// The file name of the module.
  package let name: String
  package let buildID: BuildID?
  private let known = Mutex<BreakpadTable?>(nil)

  /// Tells whether the bytes begin like a symbol file.
  package static func matches(_ bytes: Bytes) -> Bool {
    bytes.buffer.prefix(7).elementsEqual("MODULE ".utf8)
  }

  /// Reads the `MODULE` record, and `INFO CODE_ID` where it follows.
  ///
  /// - Throws: `BreakpadError` where the first line is no `MODULE` record, or the file has 4 GiB or more.
  package init(_ bytes: Bytes) throws(BreakpadError) {
    guard bytes.count < Int(UInt32.max) else { throw BreakpadError(code: .tooLarge, offset: 0) }
    let (line, next) = bytes.buffer.line(at: 0)
    var fields = BreakpadFields(bytes.buffer, line)
    guard fields.skip("MODULE"), let system = fields.word(), let machine = fields.word(), let id = fields.word(),
      let moduleID = BreakpadID(id)
    else { throw BreakpadError(code: .badModule, offset: 0) }
    self.bytes = bytes
    self.system = system
    self.moduleID = moduleID
    name = bytes.text(fields.rest)
    architecture = machine == "x86" ? "i386" : machine
    // The GUID of a file of Windows is as it stands too.
    let isPlain = Self.isApple(system) || system.lowercased() == "windows"
    buildID = Self.codeID(bytes, next, system) ?? moduleID.buildID(isMachO: isPlain)
  }

  /// Tells whether the module is a Mach-O file.
  package var isMachO: Bool { Self.isApple(system) }

  private static func isApple(_ system: String) -> Bool {
    ["mac", "ios"].contains(system.lowercased())
  }

  /// The whole build ID of an ELF file; the code ID of a Windows file is no build ID.
  private static func codeID(_ bytes: Bytes, _ offset: Int, _ system: String) -> BuildID? {
    guard offset < bytes.count, system.lowercased() != "windows" else { return nil }
    var fields = BreakpadFields(bytes.buffer, bytes.buffer.line(at: offset).line)
    guard fields.skip("INFO"), fields.skip("CODE_ID") else { return nil }
    return fields.word().flatMap { BuildID(hex: $0) }
  }

  /// The records of the file, found at the first question.
  var table: BreakpadTable {
    known.withLock { known in
      if let known { return known }
      let table = BreakpadTable(bytes)
      known = table
      return table
    }
  }
}

extension BreakpadImage: ObjectImage {
  package var format: ObjectFormat { .breakpad }
  package var kind: ObjectKind { .debugInfo }
  package var isBigEndian: Bool { ["ppc", "ppc64", "mips", "mips64", "sparc", "sparcv9"].contains(architecture) }
  package var addressSize: Int { architecture.hasSuffix("64") || architecture == "sparcv9" ? 8 : 4 }
  package var loadAddress: UInt64 { 0 }
  package var hasCode: Bool { false }
  /// The first function ends the search: nothing else is read for it.
  package var hasDebugInfo: Bool {
    var offset = 0
    while offset < bytes.count {
      let (line, next) = bytes.buffer.line(at: offset)
      var fields = BreakpadFields(bytes.buffer, line)
      if fields.skip("FUNC") { return true }
      offset = next
    }
    return false
  }
  package var symbolCount: Int { table.functions.count + table.symbols.count }
  package var dwarfSections: DWARFSections { DWARFSections(bigEndian: false, addressSize: addressSize) { _ in nil } }

  package var offeredSections: [String] {
    let table = table
    let offers = [
      ("func", !table.functions.isEmpty), ("inline", !table.origins.isEmpty), ("public", !table.symbols.isEmpty),
      ("stack_cfi", !table.frames.isEmpty), ("stack_win", !table.windowsFrames.isEmpty),
    ]
    return offers.filter(\.1).map(\.0)
  }

  package var answers: SymbolAnswers {
    hasDebugInfo ? .lines : table.symbols.isEmpty ? .nothing : .functions
  }

  package func frameLookup(debug: (any ObjectImage)?, companions: DebugCompanions) -> any FrameLookup {
    BreakpadLookup(self)
  }
}

extension Bytes {
  func text(_ span: BreakpadFields.Span) -> String {
    String(utf8: UnsafeRawBufferPointer(rebasing: buffer[Int(span.offset)..<Int(span.offset) + Int(span.length)]))
  }
}
