import MPaaSSupport
import Synchronization

/// The object file of each function of a linked image, as the linker wrote it into the symbol table.
///
/// Source: `mach-o/stab.h`; the linker writes `N_SO` … `N_OSO` … (`N_BNSYM`, `N_FUN` name, `N_FUN` size, `N_ENSYM`)…
/// `N_SO`.
package struct DebugMap: Sendable {
  struct Function: Sendable {
    let address: UInt64
    let size: UInt64
    /// The start of the linker's name among the symbol table's strings.
    let name: UInt32
    let object: Int
  }

  package let objects: [LinkedObject]
  /// By rising address.
  let functions: [Function]
  let strings: Bytes

  private static let sourceFunction: UInt8 = 0x24
  private static let objectFile: UInt8 = 0x66

  /// nil where the image names no object files.
  init?(_ image: MachOImage) {
    let strings = image.symbolStrings
    var objects: [LinkedObject] = []
    var functions: [Function] = []
    var open: (address: UInt64, name: UInt32)?
    image.forEachNlist { symbol in
      switch symbol.type {
      case Self.objectFile:
        let path = String(utf8: image.symbolString(strings, symbol.name))
        objects.append(LinkedObject(path: path, modified: Int64(clamping: symbol.value)))
        open = nil
      case Self.sourceFunction where !image.symbolString(strings, symbol.name).isEmpty:
        open = (symbol.value, symbol.name)
      case Self.sourceFunction:
        // Without a name it closes the one before, and tells its size.
        if let start = open, !objects.isEmpty {
          functions.append(
            Function(address: start.address, size: symbol.value, name: start.name, object: objects.count - 1))
        }
        open = nil
      default: break
      }
    }
    guard !objects.isEmpty else { return nil }
    self.objects = objects
    self.functions = functions.sorted { $0.address < $1.address }
    self.strings = strings
  }

  func function(at address: UInt64) -> Function? {
    var low = 0
    var high = functions.count
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address - functions[low - 1].address < functions[low - 1].size else { return nil }
    return functions[low - 1]
  }
}

extension MachOImage {
  /// The object files that the image was linked from; nil where it does not name them.
  package var debugMap: DebugMap? {
    if let known = cache.withLock({ $0.debugMap }) { return known }
    let map = header.fileType == MachOHeader.object ? nil : DebugMap(self)
    cache.withLock { $0.debugMap = .some(map) }
    return map
  }
}
