#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The information of a text by the frequency of its bytes.
enum SecretEntropy {
  /// The bits of each byte: 0 where all are the same, 8 at most.
  static func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
    guard !bytes.isEmpty else { return 0 }
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    return counts.reduce(0) { sum, count in
      guard count > 0 else { return sum }
      let share = Double(count) / Double(bytes.count)
      return sum - share * log2(share)
    }
  }
}
