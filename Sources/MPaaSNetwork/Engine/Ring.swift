/// A queue that gives its room back to itself: what is taken from the front makes place at the back.
struct Ring<Element> {
  private var slots: [Element?] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The oldest.
  var first: Element? { count == 0 ? nil : slots[head] }

  /// The element of this place, from the oldest on.
  subscript(_ index: Int) -> Element? {
    get { index < count ? slots[(head + index) & (slots.count - 1)] : nil }
    set { if index < count { slots[(head + index) & (slots.count - 1)] = newValue } }
  }

  mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[(head + count) & (slots.count - 1)] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = (head + 1) & (slots.count - 1)
    count -= 1
    // A burst must not hold its memory for ever.
    if count == 0, slots.count > 1024 { removeAll() }
    return element
  }

  mutating func removeAll() { self = Ring() }

  private mutating func grow() {
    var larger = [Element?](repeating: nil, count: max(4, slots.count * 2))
    for index in 0..<count { larger[index] = slots[(head + index) & (slots.count - 1)] }
    slots = larger
    head = 0
  }
}
