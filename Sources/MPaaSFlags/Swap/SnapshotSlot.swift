import MPaaSLock

/// The snapshot of the moment, which any number of threads read while another one puts in the next.
///
/// A reader neither waits nor counts references: it adds one to a word that has the number of the snapshot's place in its
/// upper bits, and so knows the place and is counted there in one step. When it is done it adds one to the place's own
/// count. Who exchanged the word learns from it how many readers the old snapshot had, and frees it when as many are done.
///
/// - Source: The split of a count in two is that of A. Williams, "C++ Concurrency in Action", section 7.2.4.
final class SnapshotSlot: Sendable {
  /// The bits of the word that count readers: enough for 100 million a second for 20 years.
  private static let countBits = 56
  private static let places = 64

  private let word = AtomicInteger(0)
  /// For each place the readers that are done, and the bits of the pointer to its snapshot.
  private let done: Counters
  private let pointers: Counters
  /// For each place, how many readers it had when it was left; nil for the one at hand and for free ones.
  private let left: Lock<[Int?]>

  init(_ snapshot: FlagSnapshot) {
    (done, pointers) = (Counters(Self.places), Counters(Self.places))
    left = Lock([Int?](repeating: nil, count: Self.places))
    pointers.store(Self.bits(of: snapshot), at: 0)
  }

  deinit {
    for place in 0..<Self.places where pointers.load(place) != 0 { release(place) }
  }

  private static func bits(of snapshot: FlagSnapshot) -> Int {
    Int(bitPattern: Unmanaged.passRetained(snapshot).toOpaque())
  }

  private func snapshot(at place: Int) -> Unmanaged<FlagSnapshot>? {
    UnsafeRawPointer(bitPattern: pointers.load(place)).map { Unmanaged<FlagSnapshot>.fromOpaque($0) }
  }

  private func release(_ place: Int) {
    snapshot(at: place)?.release()
    pointers.store(0, at: place)
  }

  /// Calls `body` with the snapshot of the moment, which stays as long.
  @inline(__always)
  func read<Result>(_ body: (FlagSnapshot) -> Result, else none: () -> Result) -> Result {
    let place = Int(truncatingIfNeeded: UInt(bitPattern: word.add(1)) >> UInt(Self.countBits))
    defer { done.add(1, at: place) }
    guard let snapshot = snapshot(at: place) else { return none() }
    return snapshot._withUnsafeGuaranteedRef(body)
  }

  /// Puts in the next snapshot; readers that have begun end with the one before.
  func replace(with snapshot: FlagSnapshot) {
    left.withLock { left in
      free(&left)
      let old = Int(truncatingIfNeeded: UInt(bitPattern: word.load()) >> UInt(Self.countBits))
      guard let place = (0..<Self.places).first(where: { $0 != old && left[$0] == nil }) else { return }
      done.store(0, at: place)
      pointers.store(Self.bits(of: snapshot), at: place)
      let before = word.exchange(Int(bitPattern: UInt(place) << UInt(Self.countBits)))
      left[old] = before & (1 << Self.countBits - 1)
      free(&left)
    }
  }

  /// Frees the snapshots whose readers are all done.
  private func free(_ left: inout [Int?]) {
    for place in 0..<Self.places {
      guard let readers = left[place], done.load(place) == readers else { continue }
      release(place)
      left[place] = nil
    }
  }
}

/// Integers that threads share, one for each place.
private struct Counters: Sendable {
  private let integers: [Box]

  private final class Box: Sendable {
    let integer = AtomicInteger(0)
  }

  init(_ count: Int) { integers = (0..<count).map { _ in Box() } }

  func load(_ place: Int) -> Int { integers[place].integer.load() }
  func store(_ value: Int, at place: Int) { integers[place].integer.store(value) }
  func add(_ number: Int, at place: Int) { integers[place].integer.add(number) }
}
