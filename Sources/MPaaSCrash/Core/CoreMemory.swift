import CUnwind
import MPaaSSupport

/// The memory of a process that ended: what its core holds, and behind that the files that were mapped.
///
/// The kernel leaves out what it can find again (`core(5)`, "Controlling which mappings are written to the core dump"):
/// those parts come from the files, once it is known that they are the same files.
final class CoreMemory: TargetMemory {
  private let segments: [CoreFile.Segment]
  private var files: [FilePart] = []

  private struct FilePart {
    let start: UInt64
    let end: UInt64
    let offset: UInt64
    let contents: Bytes
  }

  init(_ core: CoreFile) {
    segments = core.segments
  }

  var reader: mp_memory {
    mp_memory(
      read: { context, address, target, size in
        guard let context, let target else { return 0 }
        let memory = Unmanaged<CoreMemory>.fromOpaque(context).takeUnretainedValue()
        return memory.read(address, UnsafeMutableRawBufferPointer(start: target, count: size))
      }, context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Lets `file` answer for the memory that it was mapped to, where the core does not.
  func back(_ mapping: CoreNotes.MappedFile, by file: Bytes) {
    let part = FilePart(start: mapping.start, end: mapping.end, offset: mapping.offset, contents: file)
    files.insert(part, at: Self.count(files) { $0.start <= part.start })
  }

  private func read(_ address: UInt64, _ target: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < target.count {
      let (at, overflow) = address.addingReportingOverflow(UInt64(done))
      if overflow { break }
      let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
      let count = copy(at, rest)
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Copies as much as one segment or one file has from `address` on.
  private func copy(_ address: UInt64, _ target: UnsafeMutableRawBufferPointer) -> Int {
    if let segment = Self.last(segments, where: { $0.address <= address }) {
      let count = Self.copy(segment.contents, from: address - segment.address, target)
      if count > 0 { return count }
    }
    guard let part = Self.last(files, where: { $0.start <= address }), address < part.end else { return 0 }
    let (from, overflow) = part.offset.addingReportingOverflow(address - part.start)
    if overflow { return 0 }
    let limit = min(UInt64(target.count), part.end - address)
    return Self.copy(part.contents, from: from, UnsafeMutableRawBufferPointer(rebasing: target[..<Int(limit)]))
  }

  private static func copy(_ source: Bytes, from offset: UInt64, _ target: UnsafeMutableRawBufferPointer) -> Int {
    guard offset < UInt64(source.count) else { return 0 }
    let start = Int(offset)
    let count = min(source.count - start, target.count)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.buffer[start..<start + count]))
    return count
  }

  private static func last<Element>(_ list: [Element], where isBefore: (Element) -> Bool) -> Element? {
    let count = count(list, where: isBefore)
    return count == 0 ? nil : list[count - 1]
  }

  /// The number of elements of a sorted list before a place in it.
  private static func count<Element>(_ list: [Element], where isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(list[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
