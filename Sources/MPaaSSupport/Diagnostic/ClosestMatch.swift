/// The candidate that somebody who typed `word` most likely meant; nil where none is near.
///
/// Distance: optimal string alignment (insert, delete, replace, swap neighbours), at most a third of the word's length.
/// Failing that, it is the only candidate that begins with the word, if that has three letters or more.
package func closestMatch(to word: String, among candidates: some Sequence<String>) -> String? {
  let typed = Array(word.lowercased())
  guard !typed.isEmpty else { return nil }
  let limit = max(1, typed.count / 3)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates {
    let other = Array(candidate.lowercased())
    guard abs(other.count - typed.count) <= limit else {
      continue
    }
    let distance = alignmentDistance(typed, other)
    if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  if let best { return best.candidate }
  let longer = typed.count < 3 ? [] : candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
  return longer.count == 1 ? longer.first : nil
}

private func alignmentDistance(_ left: [Character], _ right: [Character]) -> Int {
  guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
  var older = [Int](repeating: 0, count: right.count + 1)
  var old = Array(0...right.count)
  for row in 1...left.count {
    var new = [row] + [Int](repeating: 0, count: right.count)
    for column in 1...right.count {
      let replaced = old[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
      new[column] = min(old[column] + 1, new[column - 1] + 1, replaced)
      if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
        new[column] = min(new[column], older[column - 2] + 1)
      }
    }
    (older, old) = (old, new)
  }
  return old[right.count]
}
