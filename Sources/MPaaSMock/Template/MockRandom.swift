import MPaaSLock
import MPaaSRandom
import MPaaSSupport

/// Random numbers that several threads share: of a seed, always the same row.
package final class MockRandom: Sendable {
  private let numbers: Lock<SplitMix64>

  package init(seed: UInt64? = nil) { numbers = Lock(SplitMix64(seed: seed)) }

  /// The next number of the row.
  package func next() -> UInt64 { numbers.withLock { $0.next() } }

  /// Bytes as hexadecimal digits of a UUID of version 4.
  package func uuid() -> String {
    let high = next() & ~0xf000 | 0x4000
    let low = next() & ~(0xc0 << 56) | 0x80 << 56
    return (high.padded(to: 16, radix: 16) + low.padded(to: 16, radix: 16)).dashedUUID
  }

  /// The row as a generator of the standard library.
  package var generator: Generator { Generator(random: self) }

  package struct Generator: RandomNumberGenerator {
    let random: MockRandom

    package mutating func next() -> UInt64 { random.next() }
  }
}
