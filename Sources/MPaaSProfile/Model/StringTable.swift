#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Strings that are kept once each, by numbers from 0 up; number 0 is the empty string.
package struct StringTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var index = RowIndex()

  init() {
    add(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  package var count: Int { ends.count }

  /// The number of a string, which is added where it is not there.
  package mutating func add(_ string: String) -> Int {
    var string = string
    return string.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// The number of a string given as UTF-8; what is not UTF-8 becomes U+FFFD when it is read.
  @discardableResult
  package mutating func add(_ string: UnsafeRawBufferPointer) -> Int {
    let hash = RowIndex.hash(string)
    if let row = index.row(hash, { has(string, at: $0) }) { return row }
    bytes.append(contentsOf: string)
    ends.append(bytes.count)
    index.append(hash)
    return ends.count - 1
  }

  private func range(_ row: Int) -> Range<Int> { (row > 0 ? ends[row - 1] : 0)..<ends[row] }

  private func has(_ string: UnsafeRawBufferPointer, at row: Int) -> Bool {
    let range = range(row)
    guard range.count == string.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      guard let own = bytes.baseAddress, let other = string.baseAddress else { return range.isEmpty }
      return memcmp(own + range.lowerBound, other, range.count) == 0
    }
  }

  package subscript(row: Int) -> String { String(decoding: bytes[range(row)], as: UTF8.self) }

  /// Calls `body` with the bytes of a string, which may be no UTF-8 where they came from outside.
  package func withBytes<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(row)])) }
  }
}
