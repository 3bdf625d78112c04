/// One error of typing in a reading: a letter left out, added, wrong, or two that changed places.
///
/// Optimal string alignment (Damerau 1964) at distance one.
enum TypingError {
  /// The fewest letters of a query in which errors are looked for: shorter ones are an error away from everything.
  static let fewest = 4

  /// Tells whether two sequences of letters are one error apart.
  static func parts<Left: RandomAccessCollection, Right: RandomAccessCollection>(_ left: Left, _ right: Right) -> Bool
  where Left.Element == UInt32, Right.Element == UInt32 {
    let head = zip(left, right).prefix { $0 == $1 }.count
    let (left, right) = (Array(left.dropFirst(head)), Array(right.dropFirst(head)))
    switch left.count - right.count {
    case 0:
      guard let first = left.first, let other = right.first else { return false }
      if left.dropFirst().elementsEqual(right.dropFirst()) { return true }
      return left.count > 1 && first == right[1] && left[1] == other
        && left.dropFirst(2).elementsEqual(right.dropFirst(2))
    case 1: return left.dropFirst().elementsEqual(right)
    case -1: return right.dropFirst().elementsEqual(left)
    default: return false
    }
  }
}
