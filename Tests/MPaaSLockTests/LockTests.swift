import Dispatch
import MPaaSLock
import Testing

@Suite("A lock") struct LockTests {
  /// A class that nothing but its lock makes sendable.
  private final class Counter: Sendable {
    static let shared = Counter()
    let values = Lock<[Int]>([])
    let count = Lock(0)
  }

  /// A value that is not sendable, and tells when it is gone.
  private final class Witness {
    let gone: Counter
    init(_ gone: Counter) { self.gone = gone }
    deinit { gone.count.withLock { $0 += 1 } }
  }

  private struct Refusal: Error, Equatable { let number: Int }

  @Test("lets one thread at a time change its value")
  func exclusion() {
    let counter = Counter()
    let isInside = AtomicFlag(false)
    let overlaps = AtomicInteger(0)
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      for step in 0..<10_000 {
        counter.count.withLock { value in
          if isInside.exchange(true) { overlaps.add(1) }
          value += 1
          isInside.store(false)
        }
        if step % 100 == 0 { counter.values.withLock { $0.append(worker * 10_000 + step) } }
      }
    }
    #expect(counter.count.withLock { $0 } == 80_000)
    #expect(overlaps.load() == 0)
    let values = counter.values.withLock { $0 }
    #expect(values.count == 800)
    #expect(Set(values).count == 800)
  }

  @Test("is free again after an error, which comes out with its type")
  func errors() {
    let lock = Lock("a")
    #expect(throws: Refusal(number: 7)) {
      try lock.withLock { value throws(Refusal) in
        value = "b"
        throw Refusal(number: 7)
      }
    }
    #expect(lock.withLock { $0 } == "b")
  }

  @Test("gives its value back when it goes, once")
  func end() {
    let gone = Counter()
    do {
      let lock = Lock<[Witness]>([])
      lock.withLock { $0.append(Witness(gone)) }
      #expect(gone.count.withLock { $0 } == 0)
    }
    #expect(gone.count.withLock { $0 } == 1)
  }

  @Test("serves all of the program where it is static")
  func shared() {
    Counter.shared.count.withLock { $0 = 1 }
    #expect(Counter.shared.count.withLock { $0 } == 1)
  }

  @Test("keeps values of any size and alignment apart from its own memory")
  func layouts() {
    let byte = Lock<UInt8>(0xff)
    let nothing = Lock(())
    let wide = Lock((UInt8(1), SIMD16<Float>(repeating: 2)))
    byte.withLock { $0 &-= 1 }
    nothing.withLock { _ in }
    wide.withLock { $0.1 *= 2 }
    #expect(byte.withLock { $0 } == 0xfe)
    #expect(wide.withLock { $0.1 } == SIMD16(repeating: 4))
    #expect(wide.withLock { $0.0 } == 1)
  }
}

@Suite("Atomic integers") struct AtomicIntegerTests {
  @Test("lose no sum of many threads")
  func sums() {
    let sum = AtomicInteger(-1)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { sum.add(1) }
    }
    #expect(sum.load() == 79_999)
    #expect(sum.add(-9) == 79_990)
    #expect(sum.exchange(5) == 79_990)
    sum.store(.max)
    #expect(sum.add(1) == .min)
  }

  @Test("show what was written before a flag was set")
  func order() {
    for round in 0..<200 {
      let isReady = AtomicFlag(false)
      let message = AtomicInteger(0)
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          message.store(round + 1)
          isReady.store(true)
        } else if isReady.load() {
          #expect(message.load() == round + 1)
        }
      }
      let wasReady = isReady.exchange(false)
      let isStillReady = isReady.load()
      #expect(wasReady)
      #expect(!isStillReady)
    }
  }
}
