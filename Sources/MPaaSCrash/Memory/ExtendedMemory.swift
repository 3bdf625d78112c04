package import CUnwind
package import MPaaSSupport

/// A process' memory with tables of our own beside it, at addresses that no process has.
package final class ExtendedMemory: TargetMemory {
  private let base: any TargetMemory
  private let baseReader: mp_memory
  private var tables: [(start: UInt64, bytes: [UInt8])] = []
  private var next = firstAddress

  /// Neither user space nor the kernel's half reaches here on 64-bit machines.
  private static let firstAddress: UInt64 = 0x5aff_0000_0000_0000

  private init(_ base: any TargetMemory) {
    self.base = base
    baseReader = base.reader
  }

  package var reader: mp_memory {
    mp_memory(
      read: { context, address, target, size in
        guard let context, let target else { return 0 }
        let memory = Unmanaged<ExtendedMemory>.fromOpaque(context).takeUnretainedValue()
        if address < ExtendedMemory.firstAddress || address >= memory.next {
          return memory.baseReader.read?(memory.baseReader.context, address, target, size) ?? 0
        }
        return memory.copy(address, UnsafeMutableRawBufferPointer(start: target, count: size))
      }, context: Unmanaged.passUnretained(self).toOpaque())
  }

  private func copy(_ address: UInt64, _ target: UnsafeMutableRawBufferPointer) -> Int {
    guard let table = tables.last(where: { $0.start <= address }) else { return 0 }
    let offset = Int(clamping: address - table.start)
    guard offset < table.bytes.count else { return 0 }
    let count = min(table.bytes.count - offset, target.count)
    table.bytes.withUnsafeBytes {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
    }
    return count
  }

  /// Takes in a table for an image of `size` bytes, which `make` makes for an address and for a base that stands for the
  /// image's own: the table lies right behind such an image, so that short distances reach both.
  private func add<Table>(
    behind size: UInt64, _ make: (_ base: UInt64, _ address: UInt64) -> (Table, [UInt8])?
  ) -> (base: UInt64, address: UInt64, table: Table)? {
    guard size < 1 << 31 else { return nil }
    let base = next
    let start = base + (size | 4095) + 1
    guard let (table, bytes) = make(base, start) else { return nil }
    tables.append((start, bytes))
    // A page between tables, so that one that is read past its end runs into nothing.
    next = start + (UInt64(bytes.count) | 4095) + 4097
    return (base, start, table)
  }

  /// Gives images the tables of frame descriptions that their memory does not have.
  ///
  /// Those that cannot be searched get one made from their file's `.eh_frame`, and those whose file has a `.debug_frame`
  /// one of that beside it.
  ///
  /// - Parameter open: Opens an image's file; nil where it is not there.
  /// - Returns: The memory to unwind in: `memory` itself where no image needed a table.
  package static func completing(
    _ images: ImageList, in memory: any TargetMemory, open: (String) -> Bytes?
  ) -> any TargetMemory {
    let extended = ExtendedMemory(memory)
    for index in 0..<images.count {
      var image = images[index]
      guard image.machine != 0, !image.is_vdso, !image.is_anonymous, !image.is_deleted,
        let file = open(images.path(index)), image.buildID.isEmpty || ImageList.buildID(of: file) == image.buildID
      else { continue }
      if image.table_count == 0, let table = FrameTable(file),
        let added = extended.add(behind: 0, { _, _ in (table.count, table.bytes) })
      {
        image.table = added.address
        image.table_count = UInt64(added.table)
        // The distances in the table count from here.
        image.eh_frame_hdr = image.base
      }
      let added = extended.add(behind: image.end - image.base) { base, address in
        FrameTable.ofDebugFrames(file, base: base, at: address).map { ($0.count, $0.bytes) }
      }
      if let added {
        image.debug_base = added.base
        image.debug_table = added.address
        image.debug_table_count = UInt64(added.table)
      }
      images[index] = image
    }
    return extended.tables.isEmpty ? memory : extended
  }
}
