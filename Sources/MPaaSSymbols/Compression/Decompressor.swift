import CCompression
import MPaaSSupport

/// A compressed form that debug information is stored in.
enum Compression: Sendable {
  case zlib, zstd, xz

  /// Decompresses `input`; memory grows only with what really comes out.
  ///
  /// - Parameters:
  ///   - expected: How many bytes are announced, or nil where nothing announces them; more than these are refused.
  ///   - limit: The most bytes that may come out.
  /// - Throws: `Failure`.
  func decompress(_ input: Bytes, expected: Int?, limit: Int) throws(Failure) -> Bytes {
    guard let start = input.buffer.baseAddress else { throw .damaged }
    var output: UnsafeMutablePointer<UInt8>?
    var size = 0
    let outcome = mpaas_decompress(
      format, start.assumingMemoryBound(to: UInt8.self), input.count, expected ?? input.count * 4,
      min(expected ?? limit, limit), &output, &size)
    switch outcome {
    case MPAAS_DECOMPRESSED:
      let memory = Memory(output)
      input.release(input.count)
      if let expected, size != expected { throw .damaged }
      return Bytes(owner: memory, buffer: UnsafeRawBufferPointer(start: output, count: size))
    case MPAAS_TOO_LARGE: throw expected.map { $0 <= limit } == true ? .damaged : .tooLarge
    case MPAAS_NO_MEMORY: throw .noMemory
    default: throw .damaged
    }
  }

  enum Failure: Error { case damaged, tooLarge, noMemory }

  private var format: mpaas_format {
    switch self {
    case .zlib: MPAAS_FORMAT_ZLIB
    case .zstd: MPAAS_FORMAT_ZSTD
    case .xz: MPAAS_FORMAT_XZ
    }
  }

  /// Memory of the C library, given back with its last user.
  private final class Memory {
    private let start: UnsafeMutablePointer<UInt8>?

    init(_ start: UnsafeMutablePointer<UInt8>?) {
      self.start = start
    }

    deinit {
      mpaas_release(start)
    }
  }
}

extension Bytes {
  /// The CRC-32 of the bytes, as `.gnu_debuglink` has it.
  package var crc32: UInt32 {
    mpaas_crc32(0, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
  }
}
