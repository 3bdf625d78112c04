import MPaaSSupport

extension CodeSignature {
  /// The pages of each directory whose bytes are not those that were signed, by their numbers.
  ///
  /// The bytes are gone through once: each piece is hashed for all directories while it is near.
  package func badPages() -> [[Int]] {
    var bad = [[Int]](repeating: [], count: directories.count)
    let piece = directories.compactMap(\.pageSize).max() ?? .max
    let limit = Int(directories.map(\.codeLimit).max() ?? 0)
    var next = [Int](repeating: 0, count: directories.count)
    var end = 0
    withExtendedLifetime(slice) {
      while end < limit {
        end = piece < limit - end ? end + piece : limit
        for (index, directory) in directories.enumerated() {
          while next[index] < directory.pageCount, directory.range(of: next[index]).upperBound <= end {
            if !directory.holds(next[index], in: slice.buffer) { bad[index].append(next[index]) }
            next[index] += 1
          }
        }
      }
    }
    return bad
  }
}

extension CodeDirectory {
  /// The bytes of the slice that a page has.
  package func range(of page: Int) -> Range<Int> {
    guard let pageSize else { return 0..<Int(codeLimit) }
    // The directory's check has it that all pages but the last are full.
    return page * pageSize..<min((page + 1) * pageSize, Int(codeLimit))
  }

  fileprivate func holds(_ page: Int, in slice: UnsafeRawBufferPointer) -> Bool {
    hash.holds(UnsafeRawBufferPointer(rebasing: slice[range(of: page)]), pageDigest(page))
  }
}
