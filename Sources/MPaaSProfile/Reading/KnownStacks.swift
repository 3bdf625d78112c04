/// The stacks that bytes of a file stand for, so that what comes again is looked up and not taken apart again.
struct KnownStacks {
  private var texts = StringTable()
  /// By the numbers of texts; -2 where nothing is known yet.
  private var stacks: [Int32] = [-2]

  /// The number of a text.
  @inline(__always)
  mutating func row(of text: UnsafeRawBufferPointer) -> Int {
    let row = texts.add(text)
    if row == stacks.count { stacks.append(-2) }
    return row
  }

  /// The stack of a text by its number; nil where none is known.
  @inline(__always)
  subscript(row: Int) -> Int? {
    get { stacks[row] > -2 ? Int(stacks[row]) : nil }
    set { stacks[row] = Int32(truncatingIfNeeded: newValue ?? -2) }
  }
}
