/// A keyed digest (RFC 2104) over any digest that works in blocks of 64 bytes.
package struct HMAC: Sendable {
  private let algorithm: DigestAlgorithm
  /// The digest that has taken the key already, for the message and for the result.
  private let inner: RunningDigest
  private let outer: RunningDigest

  /// The block of each digest here; SHA-512, whose block is larger, and the checksum are refused.
  private static let blockSize = 64

  /// Takes a key of any length.
  ///
  /// - Returns: Nil for a digest that does not work in blocks of 64 bytes.
  package init?(_ algorithm: DigestAlgorithm, key: some Collection<UInt8>) {
    switch algorithm {
    case .sha512, .crc32c: return nil
    case .sha256, .sm3, .md5, .sha1: break
    }
    var block = key.count > Self.blockSize ? algorithm.digest(of: key) : Array(key)
    block += repeatElement(0, count: Self.blockSize - block.count)
    self.algorithm = algorithm
    var digest = RunningDigest(algorithm)
    digest.update(block.map { $0 ^ 0x36 })
    inner = digest
    digest = RunningDigest(algorithm)
    digest.update(block.map { $0 ^ 0x5c })
    outer = digest
  }

  /// The code of a message.
  package func code(of message: some Collection<UInt8>) -> [UInt8] {
    var first = inner
    first.update(message)
    var second = outer
    second.update(first.value)
    return second.value
  }
}

extension Collection<UInt8> {
  /// Tells whether two codes are the same, in a time that depends on their lengths alone.
  package func isEqualInConstantTime(to other: some Collection<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
