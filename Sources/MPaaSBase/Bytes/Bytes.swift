/// Immutable bytes that stay alive as long as somebody holds them: a mapped file, decompressed data, or a part of either.
///
/// `@unchecked Sendable`: the memory is never written after the value is made, and `owner` keeps it.
package struct Bytes: @unchecked Sendable {
  let owner: AnyObject?
  /// The bytes; valid only while this value or a slice of it is alive.
  package let buffer: UnsafeRawBufferPointer

  package static let empty = Bytes(owner: nil, buffer: UnsafeRawBufferPointer(start: nil, count: 0))

  package init(owner: AnyObject?, buffer: UnsafeRawBufferPointer) {
    self.owner = owner
    self.buffer = buffer
  }

  /// Copies `elements` into memory of its own.
  package init(_ elements: some Collection<UInt8>) {
    self.init(capacity: elements.count) { target in
      target.copyBytes(from: elements)
      return elements.count
    }
  }

  /// Makes bytes of what `fill` writes into a fresh buffer of `capacity` bytes; it returns how many it wrote.
  package init<Failure: Error>(
    capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    let memory = HeapMemory(count: capacity)
    let count = try fill(memory.buffer)
    self.init(owner: memory, buffer: UnsafeRawBufferPointer(rebasing: memory.buffer[..<min(max(count, 0), capacity)]))
  }

  package var count: Int { buffer.count }
  package var isEmpty: Bool { buffer.isEmpty }
  package var array: [UInt8] { withExtendedLifetime(owner) { [UInt8](buffer) } }
  /// The bytes as UTF-8, with U+FFFD in place of what is not; also safe of a value that has no name.
  package var text: String { withExtendedLifetime(owner) { String(decoding: buffer, as: UTF8.self) } }

  /// The bytes of `range`, sharing the memory; nil where it does not lie inside.
  package subscript(checked range: Range<UInt64>) -> Bytes? {
    guard range.upperBound <= UInt64(count) else { return nil }
    let part = Int(range.lowerBound)..<Int(range.upperBound)
    return Bytes(owner: owner, buffer: UnsafeRawBufferPointer(rebasing: buffer[part]))
  }

  /// `size` bytes from `offset`, sharing the memory; nil where they do not lie inside or the sum overflows.
  package func slice(at offset: UInt64, size: UInt64) -> Bytes? {
    let (end, overflow) = offset.addingReportingOverflow(size)
    return overflow ? nil : self[checked: offset..<end]
  }
}

private final class HeapMemory {
  let buffer: UnsafeMutableRawBufferPointer

  init(count: Int) {
    buffer = .allocate(byteCount: max(count, 1), alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }
}
