import CUnwind
import MPaaSSupport

/// A process' memory with tables of our own beside it, at addresses that no process has.
final class ExtendedMemory: TargetMemory {
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

  var reader: mp_memory {
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

  private func add(_ bytes: [UInt8]) -> UInt64 {
    let start = next
    tables.append((start, bytes))
    // A page between tables, so that one that is read past its end runs into nothing.
    next += (UInt64(bytes.count) | 4095) + 4097
    return start
  }

  /// Gives the images that cannot be searched for frame descriptions a table made from their files.
  ///
  /// - Parameter open: Opens an image's file; nil where it is not there.
  /// - Returns: The memory to unwind in: `memory` itself where no image needed a table.
  static func completing(
    _ images: ImageList, in memory: any TargetMemory, open: (String) -> Bytes?
  ) -> any TargetMemory {
    var extended: ExtendedMemory?
    for index in 0..<images.count {
      var image = images[index]
      guard image.table_count == 0, image.machine != 0, !image.is_vdso, !image.is_anonymous, !image.is_deleted,
        let file = open(images.path(index)), image.buildID.isEmpty || CoreImages.buildID(of: file) == image.buildID,
        let table = FrameTable(file)
      else { continue }
      let target = extended ?? ExtendedMemory(memory)
      extended = target
      image.table = target.add(table.bytes)
      image.table_count = UInt64(table.count)
      // The distances in the table count from here.
      image.eh_frame_hdr = image.base
      images[index] = image
    }
    return extended ?? memory
  }
}
