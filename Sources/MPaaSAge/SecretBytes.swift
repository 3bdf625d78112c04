import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Secret bytes, overwritten with zeros when the last reference to them goes.
///
/// Copies that a library or the system makes are beyond its reach; no core dump of the kit's own programs holds them.
/// `@unchecked Sendable`: the memory is written only before other code has the value, and when it is not used any more.
package final class SecretBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  package let count: Int

  package init(copying bytes: UnsafeRawBufferPointer) {
    CoreDumps.forbid()
    memory = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
    memory.copyMemory(from: bytes)
    count = bytes.count
  }

  /// Copies the UTF-8 of a text, which itself stays where it is.
  package init(copying text: String) {
    CoreDumps.forbid()
    count = text.utf8.count
    memory = .allocate(byteCount: max(count, 1), alignment: 16)
    memory.copyBytes(from: text.utf8)
  }

  /// The bytes as text; a copy that is not overwritten.
  package var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  deinit {
    Self.wipe(memory)
    memory.deallocate()
  }

  /// Overwrites the bytes of `array`, which must not be shared.
  package static func wipe(_ array: inout [UInt8]) {
    array.withUnsafeMutableBytes { wipe($0) }
  }

  /// Overwrites memory in a way that the compiler does not leave out.
  package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    #if canImport(Darwin)
      memset_s(start, memory.count, 0, memory.count)
    #else
      explicit_bzero(start, memory.count)
    #endif
  }
}
