/// A run of a program over a text, within a number of steps.
struct JavaPatternMachine {
  /// A place to go back to, or a slot to set back.
  private struct Choice {
    var step: Int
    var place: Int
    var slot: Int
  }

  private static let mostChoices = 4 << 20

  private let program: JavaPatternProgram
  private let text: [UInt32]
  private(set) var slots: [Int]
  private var choices: [Choice] = []
  private(set) var stepsLeft: Int

  init(_ program: JavaPatternProgram, _ text: [UInt32], steps: Int) {
    self.program = program
    self.text = text
    slots = [Int](repeating: -1, count: program.slots)
    stepsLeft = steps
  }

  /// Tells whether the expression takes a part that begins at a place, and the whole rest where `whole`.
  mutating func matches(at place: Int, whole: Bool) -> Bool {
    for index in slots.indices { slots[index] = -1 }
    return run(from: 0, at: place, until: whole ? text.count : nil) != nil
  }

  /// Runs until `matched`; gives the place there.
  ///
  /// - Parameter end: The place that the match must end at; nil for any.
  private mutating func run(from start: Int, at place: Int, until end: Int?) -> Int? {
    let floor = choices.count
    defer { choices.removeLast(choices.count - floor) }
    var step = start
    var place = place
    while true {
      stepsLeft -= 1
      guard stepsLeft > 0 else { return nil }
      var isGood = true
      switch program.steps[step] {
      case .scalar(let scalar):
        isGood = place < text.count && text[place] == scalar
        place += 1
        step += 1
      case .scalarAnyCase(let one, let other):
        isGood = place < text.count && (text[place] == one || text[place] == other)
        place += 1
        step += 1
      case .set(let index, let ignoresCase):
        isGood =
          place < text.count
          && (ignoresCase
            ? program.sets[index].containsAnyCase(text[place]) : program.sets[index].contains(text[place]))
        place += 1
        step += 1
      case .any(let matchesLineEnds):
        isGood = place < text.count && (matchesLineEnds || !Self.isLineEnd(text[place]))
        place += 1
        step += 1
      case .assertion(let assertion):
        isGood = holds(assertion, at: place)
        step += 1
      case .split(let first, let second):
        guard choices.count < Self.mostChoices else {
          stepsLeft = 0
          return nil
        }
        choices.append(Choice(step: second, place: place, slot: -1))
        step = first
      case .jump(let target): step = target
      case .save(let slot):
        choices.append(Choice(step: 0, place: slots[slot], slot: slot))
        slots[slot] = place
        step += 1
      case .progress(let slot):
        isGood = slots[slot] != place
        step += 1
      case .backReference(let group, let ignoresCase):
        if let length = repeats(group, at: place, ignoresCase: ignoresCase) { place += length } else { isGood = false }
        step += 1
      case .look(let isAhead, let isNegative, let least, let most, let target):
        let found = isAhead ? run(from: step + 1, at: place, until: nil) != nil : looksBehind(step, place, least, most)
        isGood = found != isNegative
        step = target
      case .atomic(let target):
        if let after = run(from: step + 1, at: place, until: nil) { place = after } else { isGood = false }
        step = target
      case .matched:
        if end == nil || end == place { return place }
        isGood = false
      }
      guard !isGood else { continue }
      guard goBack(&step, &place, floor) else { return nil }
    }
  }

  /// Goes back to the last choice, setting slots back on the way.
  private mutating func goBack(_ step: inout Int, _ place: inout Int, _ floor: Int) -> Bool {
    while choices.count > floor, let choice = choices.popLast() {
      if choice.slot >= 0 {
        slots[choice.slot] = choice.place
        continue
      }
      (step, place) = (choice.step, choice.place)
      return true
    }
    return false
  }

  private mutating func looksBehind(_ step: Int, _ place: Int, _ least: Int, _ most: Int) -> Bool {
    guard place >= least else { return false }
    for start in stride(from: place - least, through: max(0, place - most), by: -1)
    where run(from: step + 1, at: start, until: place) != nil {
      return true
    }
    return false
  }

  private func repeats(_ group: Int, at place: Int, ignoresCase: Bool) -> Int? {
    guard group * 2 + 1 < slots.count, slots[group * 2] >= 0, slots[group * 2 + 1] >= slots[group * 2] else {
      return nil
    }
    let part = text[slots[group * 2]..<slots[group * 2 + 1]]
    guard place + part.count <= text.count else { return nil }
    let isSame = zip(part, text[place...]).allSatisfy { $0 == $1 || (ignoresCase && $0.otherCase == $1) }
    return isSame ? part.count : nil
  }

  private static func isLineEnd(_ scalar: UInt32) -> Bool {
    scalar == 0x0a || scalar == 0x0d || scalar == 0x85 || scalar == 0x2028 || scalar == 0x2029
  }

  private func isWord(_ place: Int) -> Bool {
    place >= 0 && place < text.count && JavaScalarSet.words.contains(text[place])
  }

  private func holds(_ assertion: JavaAssertion, at place: Int) -> Bool {
    switch assertion {
    case .textStart: place == 0
    case .textEnd: place == text.count
    case .lastLineEnd:
      place == text.count || (place == text.count - 1 && Self.isLineEnd(text[place]))
        || (place == text.count - 2 && text[place] == 13 && text[place + 1] == 10)
    case .lineStart: place == 0 || (place < text.count && Self.isLineEnd(text[place - 1]))
    case .lineEnd: place == text.count || Self.isLineEnd(text[place])
    case .wordBoundary: isWord(place - 1) != isWord(place)
    case .noWordBoundary: isWord(place - 1) == isWord(place)
    }
  }
}
