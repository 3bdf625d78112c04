internal import CSecurity
internal import MPaaSDigests
internal import MPaaSSupport

/// The digest of the executable's code, or the first place where memory and file differ.
public enum TextDigest: Sendable, Hashable {
  /// SHA-256 of the code in memory, which is the file's: 64 hexadecimal digits.
  case same(String)
  /// The first place where memory and file differ.
  case different(Difference)
  /// The file could not be read, or is encrypted: SHA-256 of the code in memory alone.
  case memoryOnly(String)
  /// The system does not tell where the code is.
  case unknown

  /// A place where memory and file differ.
  public struct Difference: Sendable, Hashable {
    /// The executable.
    public let path: String
    /// The first byte that differs, in memory.
    public let address: UInt
    /// The same byte in the file.
    public let fileOffset: UInt64
    /// The page of the file that has it, counted from 0.
    public var page: UInt64 { fileOffset / 4096 }
    /// SHA-256 of the code in memory and of the file's: 64 hexadecimal digits each.
    public let memory: String, file: String
  }
}

extension Security {
  /// Compares all code of the executable with its file.
  ///
  /// Takes about 4 ms for each 10 MB. On Apple's systems the store encrypts the file's code: the digest is of memory
  /// alone there, to be compared with one that the publisher worked out.
  public static func textDigest() -> TextDigest {
    final class Sums {
      var memory = RunningDigest(.sha256), file = RunningDigest(.sha256)
    }
    let sums = Sums()
    var difference = mp_difference()
    let failure = Look.with { look in
      mp_security_text(
        look.memory, Unmanaged.passUnretained(sums).toOpaque(),
        { context, memory, file, size in
          guard let context, let memory, let file else { return }
          let sums = Unmanaged<Sums>.fromOpaque(context).takeUnretainedValue()
          sums.memory.update(UnsafeRawBufferPointer(start: memory, count: size))
          sums.file.update(UnsafeRawBufferPointer(start: file, count: size))
        }, &difference)
    }
    guard failure == 0, sums.memory.count > 0 else { return .unknown }
    let digest = sums.memory.value.hexadecimal
    if difference.is_different {
      return .different(
        TextDigest.Difference(
          path: withUnsafeBytes(of: difference.path) { String(nulTerminated: $0) },
          address: UInt(difference.address), fileOffset: difference.file_offset, memory: digest,
          file: sums.file.value.hexadecimal))
    }
    return difference.is_complete ? .same(digest) : .memoryOnly(digest)
  }
}
