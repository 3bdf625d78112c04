import MPaaSSupport

/// The names that an image takes from others, from its symbol table and from the programs of the loader.
///
/// Source: `mach-o/nlist.h`; `mach-o/loader.h`, `dyld_info_command`; `mach-o/fixup-chains.h`.
package struct MachOImports: Sendable {
  /// The names, sorted by their bytes, each once.
  package let names: [String]
  /// Names of the debug map whose entries have the form of undefined symbols; they are the image's own.
  package let debugNames: [String]
  /// Tells whether there is a debug map: entries for debuggers that name the build's object files.
  package let hasDebugEntries: Bool

  /// Names beyond these are left out; no image has so many.
  static let most = 1 << 20
  /// No compiler writes longer names.
  static let longest = 1 << 15
}

extension MachOImage {
  /// The names that the image takes from others.
  package var imports: MachOImports {
    var found: Set<String> = []
    var debug: Set<String> = []
    var hasDebugEntries = false
    let strings = symbolStrings
    // Names that share their ends with others may be more than their table, but not without end.
    var allowance = 4 * strings.count + (1 << 16)
    forEachNlist { entry in
      if entry.isStab { hasDebugEntries = true }
      // `N_UNDF` of `N_TYPE`; global variables of the debug map (`N_GSYM`) have it, too.
      guard entry.type & 0x0e == 0, entry.name != 0, allowance > 0, found.count + debug.count < MachOImports.most else {
        return
      }
      let name = symbolString(strings, entry.name)
      allowance -= name.count
      guard !name.isEmpty, name.count <= MachOImports.longest else { return }
      if entry.isStab { debug.insert(String(utf8: name)) } else { found.insert(String(utf8: name)) }
    }
    var defined: Set<String>?
    func add(_ name: UnsafeRawBufferPointer, isWeakLookup: Bool) {
      allowance -= name.count
      guard !name.isEmpty, name.count <= MachOImports.longest, allowance > 0, found.count < MachOImports.most else {
        return
      }
      let text = String(utf8: name)
      if isWeakLookup {
        let own = defined ?? definedNames(strings)
        defined = own
        if own.contains(text) { return }
      }
      found.insert(text)
    }
    allowance += 4 * commands.bindings.reduce(0) { $0 + Int(clamping: min($1.size, UInt64(bytes.count))) }
    for blob in commands.bindings { if let program = contents(blob) { Self.bound(program, add) } }
    if let fixups = contents(commands.chainedFixups) {
      allowance += 4 * fixups.count
      chained(fixups, add)
    }
    debug.subtract(found)
    return MachOImports(
      names: found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
      debugNames: debug.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, hasDebugEntries: hasDebugEntries)
  }

  /// The names of symbols that stand in a section of this image.
  private func definedNames(_ strings: Bytes) -> Set<String> {
    var names: Set<String> = []
    var allowance = 4 * strings.count + (1 << 16)
    forEachNlist { entry in
      guard entry.isDefined, allowance > 0, names.count < MachOImports.most else { return }
      let name = symbolString(strings, entry.name)
      allowance -= name.count
      if name.count <= MachOImports.longest { names.insert(String(utf8: name)) }
    }
    return names
  }

  /// Hands over the names in a program that binds; its other steps matter to the loader alone.
  private static func bound(_ program: Bytes, _ add: (UnsafeRawBufferPointer, Bool) -> Void) {
    var cursor = ByteCursor(program.buffer)
    while let step = try? cursor.u8() {
      do throws(ByteError) {
        switch step & 0xf0 {
        // The library's number; a segment and an offset; an offset; the lengths of repeated binding.
        case 0x20, 0x70, 0x80, 0xa0: _ = try cursor.uleb()
        case 0x40: add(try cursor.cString(), false)
        case 0x60: _ = try cursor.sleb()
        case 0xc0:
          _ = try cursor.uleb()
          _ = try cursor.uleb()
        // The threaded form: the size of its table.
        case 0xd0 where step & 0x0f == 0: _ = try cursor.uleb()
        default: break
        }
      } catch { return }
    }
  }

  /// Hands over the names that chained fixups import.
  private func chained(_ fixups: Bytes, _ add: (UnsafeRawBufferPointer, Bool) -> Void) {
    var cursor = ByteCursor(fixups.buffer, at: 8, bigEndian: header.bigEndian)
    guard let imports = try? cursor.u32(), let symbols = try? cursor.u32(), let count = try? cursor.u32(),
      let form = try? cursor.u32(), let packing = try? cursor.u32(), packing == 0
    else { return }
    let size = [1: 4, 2: 8, 3: 16][form] ?? 0
    guard size > 0, Int(imports) <= fixups.count else { return }
    for index in 0..<min(Int(count), (fixups.count - Int(imports)) / size, MachOImports.most) {
      cursor.offset = Int(imports) + index * size
      let name: UInt64
      let library: Int64
      if form == 3 {
        guard let word = try? cursor.u64() else { return }
        (library, name) = (Int64(Int16(truncatingIfNeeded: word)), word >> 32)
      } else {
        guard let word = try? cursor.u32() else { return }
        (library, name) = (Int64(Int8(truncatingIfNeeded: word)), UInt64(word >> 9))
      }
      // Number -3: the first image that has it, which may be this one.
      guard let text = fixups.buffer.cString(at: UInt64(symbols) + name) else { continue }
      add(text, library == -3)
    }
  }
}
