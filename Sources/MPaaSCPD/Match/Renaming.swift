/// Names exchanged one for one between two places, as far as that goes.
struct Renaming {
  private let kinds: [TokenKind]
  /// For each name the call in the upper half, and the name of the other side.
  private var forth: [UInt64]
  private var back: [UInt64]
  private var call: UInt64 = 0

  init(kinds: [TokenKind]) {
    self.kinds = kinds
    forth = [UInt64](repeating: 0, count: kinds.count)
    back = forth
  }

  /// The number of tokens from `left` and `right` on that are the same but for exchanged names and other literals.
  mutating func length(_ tokens: UnsafeBufferPointer<UInt32>, _ left: Int, _ right: Int, _ limit: Int) -> Int {
    call += 1
    var length = 0
    while length < limit {
      let (one, other) = (tokens[left + length], tokens[right + length])
      guard one < TokenStream.firstEnd, other < TokenStream.firstEnd else { break }
      guard agree(Int(one), Int(other)) else { break }
      length += 1
    }
    return length
  }

  @inline(__always)
  private mutating func agree(_ one: Int, _ other: Int) -> Bool {
    let kind = kinds[one]
    guard kind == kinds[other] else { return false }
    switch kind {
    case .string, .number: return true
    case .word:
      let (there, here) = (call << 32 | UInt64(other), call << 32 | UInt64(one))
      if forth[one] >> 32 != call, back[other] >> 32 != call {
        forth[one] = there
        back[other] = here
        return true
      }
      return forth[one] == there && back[other] == here
    default: return one == other
    }
  }
}
