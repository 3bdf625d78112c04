/// Two stacks laid beside each other, call by call.
package struct StackAlignment: Sendable {
  package enum Change: String, Sendable {
    case same
    /// The same function, elsewhere: another line, another module.
    case changed
    case added, removed
  }

  package struct Pair: Sendable {
    package let change: Change
    /// Indexes into the two sequences.
    package let a: Int?
    package let b: Int?
  }

  package let pairs: [Pair]

  /// Longer stacks are compared up to here.
  static let longest = 600

  /// - Parameters:
  ///   - key: What makes two calls the same function.
  ///   - isSame: Whether two calls of the same function are alike in all that is shown.
  init<Call, Key: Equatable>(_ a: [Call], _ b: [Call], key: (Call) -> Key, isSame: (Call, Call) -> Bool) {
    let (keysA, keysB) = (a.prefix(Self.longest).map(key), b.prefix(Self.longest).map(key))
    // Lengths of the longest common subsequence of the rests.
    let width = keysB.count + 1
    var lengths = [Int](repeating: 0, count: (keysA.count + 1) * width)
    for i in keysA.indices.reversed() {
      for j in keysB.indices.reversed() {
        lengths[i * width + j] =
          keysA[i] == keysB[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var pairs: [Pair] = []
    var (i, j) = (0, 0)
    while i < keysA.count || j < keysB.count {
      if i < keysA.count, j < keysB.count, keysA[i] == keysB[j] {
        pairs.append(Pair(change: isSame(a[i], b[j]) ? .same : .changed, a: i, b: j))
        (i, j) = (i + 1, j + 1)
      } else if j >= keysB.count || i < keysA.count && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        pairs.append(Pair(change: .removed, a: i, b: nil))
        i += 1
      } else {
        pairs.append(Pair(change: .added, a: nil, b: j))
        j += 1
      }
    }
    self.pairs = pairs
  }
}
