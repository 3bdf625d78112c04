import MPaaSLock

/// The answers of a flag in a stretch of time.
struct FlagCount: Sendable, Equatable {
  var yes = 0
  var no = 0
  /// The answers by the name of the variant.
  var variants: [String: Int] = [:]

  /// The most variants that are counted by name.
  static let mostVariants = 100

  /// Counts an answer.
  mutating func add(isOn: Bool, variant: String?) {
    if isOn { yes &+= 1 } else { no &+= 1 }
    if let variant { add(1, variant: variant) }
  }

  mutating func add(_ other: FlagCount) {
    yes &+= other.yes
    no &+= other.no
    for (name, count) in other.variants { add(count, variant: name) }
  }

  mutating func add(_ count: Int, variant: String) {
    guard variants.count < Self.mostVariants || variants[variant] != nil else { return }
    variants[variant, default: 0] &+= count
  }
}

/// Counts the answers of flags, from any thread.
///
/// Names are spread over several locks, each held for the time of an addition. Nothing is allocated for a name that was
/// counted before since the last `take`.
final class FlagCounter: Sendable {
  /// The most names that are counted; answers of further ones are not.
  static let mostNames = 10_000
  private static let parts = 16

  private final class Part: Sendable {
    let counts = Lock<[String: FlagCount]>([:])
  }

  private let parts = (0..<FlagCounter.parts).map { _ in Part() }
  /// The number of names in all parts.
  private let names = AtomicInteger(0)

  /// Counts an answer.
  ///
  /// - Parameter variant: The name of the variant, where one was asked for.
  func count(_ name: String, isOn: Bool, variant: String? = nil) {
    part(of: name).counts.withLock { counts in
      let before = counts.count
      counts[name, default: FlagCount()].add(isOn: isOn, variant: variant)
      guard counts.count > before, names.add(1) > Self.mostNames else { return }
      counts[name] = nil
      names.add(-1)
    }
  }

  /// Takes out what was counted.
  func take() -> [String: FlagCount] {
    var all: [String: FlagCount] = [:]
    for part in parts {
      let counts = part.counts.withLock { counts in
        defer { counts.removeAll(keepingCapacity: true) }
        return counts
      }
      names.add(-counts.count)
      all.merge(counts) { $1 }
    }
    return all
  }

  /// The part of a name: by its length and its ends, which is enough to keep threads apart.
  private func part(of name: String) -> Part {
    let bytes = name.utf8
    let hash = bytes.count &+ Int(bytes.first ?? 0) &* 3 &+ Int(bytes.last ?? 0) &* 7
    return parts[hash & (Self.parts - 1)]
  }
}
