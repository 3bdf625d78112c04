package import MPaaSSupport

/// The container that an image is in.
package enum ObjectFormat: String, Sendable, Codable {
  case elf
  case machO = "mach-o"
  /// The text files of Breakpad's `dump_syms`.
  case breakpad
}

/// One image with what it tells about addresses: an ELF file, one architecture of a Mach-O file, and others.
///
/// It can be shared between threads.
package protocol ObjectImage: AnyObject, Sendable {
  var format: ObjectFormat { get }
  /// The bytes of the image: the whole file, or its part of a fat one.
  var bytes: Bytes { get }
  /// Build ID or UUID; nil where the linker gave it none.
  var buildID: BuildID? { get }
  /// The processor, as `uname -m` or Apple's `arch` names it.
  var architecture: String { get }
  var kind: ObjectKind { get }
  var isBigEndian: Bool { get }
  /// Bytes: 4 or 8.
  var addressSize: Int { get }
  /// The lowest address that the file asks to be loaded at; an image mapped at `base` is moved by `base - loadAddress`.
  var loadAddress: UInt64 { get }
  /// Tells whether the file has the bytes of its code; a file of debug information only has not.
  var hasCode: Bool { get }
  /// Tells whether there is debug information about functions and lines.
  var hasDebugInfo: Bool { get }
  var symbolCount: Int { get }
  /// The sections for symbolication that it holds, by section names without dots or underscores in front.
  var offeredSections: [String] { get }
  /// The answers that look-ups in this file alone can tell.
  var answers: SymbolAnswers { get }

  /// The DWARF of this file, where it has any.
  var dwarfSections: DWARFSections { get }
  /// Tells whether it is a split file, or holds split units.
  var hasSplitSections: Bool { get }
  /// The DWARF of a split file.
  var splitSections: DWARFSections { get }
  /// The file that holds the debug information of this stripped one.
  var debugLink: DebugLink? { get }
  /// Tells whether the code is encrypted, as in apps from a store.
  var isEncrypted: Bool { get }
  /// The file that holds what several debug files share.
  var alternateDebugLink: AlternateDebugLink? { get }
  /// The file's unwind information from its code; nil where that is nothing.
  var unwindSource: (any UnwindSource)? { get }

  /// Look-ups in this image alone, or with the debug file that belongs to it.
  ///
  /// - Parameters:
  ///   - debug: The file with the debug information, where it is another one.
  ///   - companions: Files that the debug information points to.
  func frameLookup(debug: (any ObjectImage)?, companions: DebugCompanions) -> any FrameLookup
}

extension ObjectImage {
  package var hasSplitSections: Bool { false }
  package var splitSections: DWARFSections { dwarfSections }
  package var debugLink: DebugLink? { nil }
  package var isEncrypted: Bool { false }
  package var alternateDebugLink: AlternateDebugLink? { nil }
  package var unwindSource: (any UnwindSource)? { nil }
}

/// The purpose of an image.
package enum ObjectKind: String, Sendable {
  case executable
  case sharedLibrary = "shared-library"
  case object
  case core
  /// Only debug information: the code was left out.
  case debugInfo = "debug-info"
  case splitDebugInfo = "split-debug-info"
  case other
}

/// The answers that look-ups in one file can tell.
package enum SymbolAnswers: String, Sendable {
  case lines, functions
  /// Only the exported functions.
  case exported
  case nothing
}
