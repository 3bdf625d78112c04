package import MPaaSSupport
import Synchronization

/// A Mach-O image over its mapped bytes: header and load commands are read at once, everything else when it is asked
/// for.
///
/// It can be shared between threads; what is decompressed or sorted once is kept.
package final class MachOImage: Sendable {
  /// The image: the whole file, or its slice of a fat one; offsets count from its first byte.
  package let bytes: Bytes
  package let header: MachOHeader
  let commands: MachOCommands
  /// The map of names that the build hid.
  let hiddenNames: SymbolMap?
  let cache = Mutex(Cache())

  /// The state worked out so far.
  struct Cache {
    var sections: [String: Bytes] = [:]
    /// Bytes that decompression has given, against the file's allowance.
    var decompressed = 0
    var symbols: MachOSymbolTable?
    var debugMap: DebugMap??
    var hasHiddenNames: Bool?
  }

  /// Reads the header and the load commands.
  ///
  /// - Parameter bytes: The image, mapped.
  /// - Throws: `MachOError` naming the first field that cannot be true.
  package convenience init(_ bytes: Bytes) throws(MachOError) {
    let header = try MachOHeader(bytes)
    self.init(bytes, header, try MachOCommands(bytes, header), hiddenNames: nil)
  }

  private init(_ bytes: Bytes, _ header: MachOHeader, _ commands: MachOCommands, hiddenNames: SymbolMap?) {
    self.bytes = bytes
    self.header = header
    self.commands = commands
    self.hiddenNames = hiddenNames
  }

  /// The same image with the names that the build hid.
  package func revealing(_ names: SymbolMap) -> MachOImage {
    MachOImage(bytes, header, commands, hiddenNames: names)
  }

  /// Tells whether bytes begin as an image, or a file of several, does.
  package static func matches(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { MachOHeader.matches(bytes.buffer) || MachOFat.matches(bytes.buffer) }
  }

  /// The images of a file: one, or one for each processor of a fat file; libraries of object files are left out.
  ///
  /// - Throws: `MachOError` with the offset in the file of the first field that cannot be true.
  package static func images(_ bytes: Bytes) throws(MachOError) -> [MachOImage] {
    guard MachOFat.matches(bytes.buffer) else { return [try MachOImage(bytes)] }
    var images: [MachOImage] = []
    let slices = try MachOFat.slices(bytes)
    for slice in slices where !StaticLibrary.matches(slice.bytes) {
      do throws(MachOError) {
        images.append(try MachOImage(slice.bytes))
      } catch {
        throw error.moved(by: slice.offset)
      }
    }
    guard !images.isEmpty else { throw MachOError(.badMagic, offset: slices[0].offset) }
    return images
  }

  package var segments: [MachOSegment] { commands.segments }
  package var sections: [MachOSection] { commands.sections }
  /// Tells whether the code is encrypted, as in apps from the App Store.
  package var isEncrypted: Bool { commands.encryption.map { $0 != 0 } ?? false }

  /// The address ranges of code, in the order of the commands.
  ///
  /// In an object file these are all sections but the DWARF: assemblers do not mark every section with code.
  package var executableRanges: [Range<UInt64>] {
    let isObject = header.fileType == MachOHeader.object
    return sections.filter { $0.isCode || (isObject && $0.segment != "__DWARF") }.compactMap(\.addresses)
  }

  /// A section as it stands in the file, such as `__TEXT`, `__eh_frame`; nil where there is none or it has no bytes.
  package func section(_ segment: String, _ name: String) -> (address: UInt64, bytes: Bytes)? {
    guard let section = sections.first(where: { $0.segment == segment && $0.name == name }) else { return nil }
    return stored(section).map { (section.address, $0) }
  }

  /// The range in the image of a section's bytes; nil where the file has none of it.
  package func stored(range section: MachOSection) -> Range<UInt64>? {
    guard stored(section) != nil else { return nil }
    return section.offset..<section.offset + section.size
  }

  /// The bytes of a section as the file has them.
  func stored(_ section: MachOSection) -> Bytes? {
    guard !section.isZeros, section.offset > 0, section.size > 0 else { return nil }
    return bytes.slice(at: section.offset, size: section.size)
  }

  func contents(_ blob: MachOBlob?) -> Bytes? {
    guard let blob, blob.size > 0 else { return nil }
    return bytes.slice(at: blob.offset, size: blob.size)
  }
}
