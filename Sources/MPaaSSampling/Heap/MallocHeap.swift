/// A range of memory that glibc's `malloc` cuts into blocks.
///
/// Before each block stands its size, so that one leads to the next. Where the sizes lead exactly to the end of the range,
/// and through the place that the arena has for its free rest, the blocks are certain; else none of them is.
/// - Source: glibc, malloc/malloc.c and arena.c, of 2.26 to 2.41: `malloc_chunk`, `heap_info`, `malloc_state`.
struct MallocHeap {
  /// A block that a program was given, and has not given back as far as the sizes tell.
  struct Block {
    /// The address that `malloc` returned.
    let address: UInt64
    /// With the word before it.
    let size: UInt64
    /// Its first two words.
    let first: UInt64
    let second: UInt64
  }

  /// The blocks in use, in order.
  private(set) var blocks: [Block] = []

  /// Heaps of threads begin at multiples of this.
  private static let alignment: UInt64 = 64 << 20
  private static let isUsedBefore: UInt64 = 1
  private static let isMapped: UInt64 = 2
  /// The place of `top` in `malloc_state`, and where that may end.
  private static let topPlace: UInt64 = 96
  private static let stateEnds = stride(from: UInt64(0x800), through: 0xa00, by: 16)

  /// Finds the blocks of a range; nil where it is none of malloc's.
  init?(_ range: MemoryRange, _ window: inout MemoryWindow) {
    guard range.size >= 64 else { return nil }
    if walk(from: range.start, to: range.end, through: nil, &window) { return }
    guard range.start % Self.alignment == 0, let state = window.word(range.start),
      let size = window.word(range.start + 16), size > 0, size % 4096 == 0, size <= range.size
    else { return nil }
    let end = range.start + size
    if state > range.start, state < range.start + 0x100 {
      // The first heap of an arena begins with the arena's state.
      let top = window.word(state + Self.topPlace).flatMap { $0 >= range.start && $0 < end ? $0 : nil }
      for offset in Self.stateEnds where walk(from: state + offset, to: end, through: top, &window) { return }
    } else {
      for offset in stride(from: UInt64(0x20), through: 0x60, by: 16)
      where walk(from: range.start + offset, to: end, through: nil, &window) { return }
    }
    return nil
  }

  private mutating func walk(
    from first: UInt64, to end: UInt64, through top: UInt64?, _ window: inout MemoryWindow
  ) -> Bool {
    blocks = []
    var chunk = first
    var hasSeenTop = top == nil
    while chunk < end {
      guard end - chunk >= 16, let field = window.word(chunk + 8) else { return false }
      let size = field & ~7
      guard size >= 16, size % 16 == 0, size <= end - chunk else { return false }
      hasSeenTop = hasSeenTop || chunk == top
      if size >= 32, let first = window.word(chunk + 16), let second = window.word(chunk + 24) {
        let next = chunk + size
        // Each says of the one before whether it is in use; the last is what is left.
        let isUsed = field & Self.isMapped != 0 || (next < end && (window.word(next + 8) ?? 0) & Self.isUsedBefore != 0)
        if isUsed { blocks.append(Block(address: chunk + 16, size: size, first: first, second: second)) }
      }
      chunk += size
    }
    return hasSeenTop
  }
}
