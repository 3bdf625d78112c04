/// The name that somebody who wrote `word` most likely meant; nil where none is near.
///
/// Distance: insertions, deletions and replacements of letters, at most a third of the word's length; else the only
/// name that begins with the word.
func nearest(to word: String, among names: some Sequence<String>) -> String? {
  let typed = Array(word.lowercased().prefix(64))
  guard !typed.isEmpty else { return nil }
  let limit = max(1, typed.count / 3)
  var best: (distance: Int, name: String)?
  var longer: [String] = []
  for name in names {
    let other = Array(name.lowercased().prefix(64))
    if typed.count > 1, other.starts(with: typed) { longer.append(name) }
    guard abs(other.count - typed.count) <= limit else { continue }
    let distance = letters(from: typed, to: other)
    if distance <= limit, distance < best?.distance ?? .max { best = (distance, name) }
  }
  return best?.name ?? (longer.count == 1 ? longer.first : nil)
}

private func letters(from left: [Character], to right: [Character]) -> Int {
  var old = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var new = [row + 1]
    for (column, other) in right.enumerated() {
      new.append(min(old[column + 1] + 1, new[column] + 1, old[column] + (letter == other ? 0 : 1)))
    }
    old = new
  }
  return old[right.count]
}
