/// The tokens of all sources, one after another; a token that is like no other stands between two sources.
struct TokenStream: Sendable {
  /// Numbers from here on are ends of sources, each of them another.
  static let firstEnd: UInt32 = 1 << 31

  var tokens: [UInt32] = []
  /// The kind of each different token.
  var kinds: [TokenKind] = []
  /// The hash of the text of each different token, the same in every call.
  var hashes: [UInt64] = []
  private var ends: UInt32 = 0

  init() {}

  mutating func append(_ source: ArraySlice<UInt32>, numbers: [UInt32]) {
    for token in source {
      if token >= Self.firstEnd { appendEnd() } else { tokens.append(numbers[Int(token)]) }
    }
  }

  mutating func appendEnd() {
    tokens.append(Self.firstEnd + ends)
    ends += 1
  }
}
