/// The renamed code among repeats: those that are the same in all but a few tokens are no news beside the exact ones.
struct RenamedFilter {
  private let stream: TokenStream
  /// Tokens: runs of the same from here on are exact parts, and what is left must be as long.
  private let part: Int

  init(_ stream: TokenStream, part: Int) {
    (self.stream, self.part) = (stream, part)
  }

  /// The repeat; nil where no place differs in names from the first over the least length.
  func kept(_ found: TokenRepeat) -> TokenRepeat? {
    let isRenamed = found.places.dropFirst().contains { differs(found.places[0], $0, found.length) }
    return isRenamed && !isTable(found.places[0], min(found.length, Self.look)) ? found : nil
  }

  /// Tokens that are looked at for rows, and that a row has at most.
  private static let (look, row) = (256, 64)

  /// Tells whether rows of one form follow one another, such as declarations of constants, which are alike everywhere.
  private func isTable(_ start: Int, _ length: Int) -> Bool {
    let forms = (start..<start + length).map { place -> UInt32 in
      let token = stream.tokens[place]
      switch stream.kinds[Int(token)] {
      case .word: return .max
      case .string, .number: return .max - 1
      default: return token
      }
    }
    return (1...min(max(1, length / 3), Self.row)).contains { period in
      var same = 0
      for place in 0..<length - period where forms[place] == forms[place + period] { same += 1 }
      return same * 10 >= (length - period) * 9
    }
  }

  private func differs(_ left: Int, _ right: Int, _ length: Int) -> Bool {
    var different = length
    var run = 0
    for offset in 0..<length {
      if stream.tokens[left + offset] == stream.tokens[right + offset] {
        run += 1
        continue
      }
      if run >= part { different -= run }
      run = 0
    }
    if run >= part { different -= run }
    return different >= part
  }
}
