/// Reads by a dictionary of words, by what stands beside a character, and by rules for names and places.
///
/// Text is divided into words so that their costs are least. A word says how its characters are read; where a character
/// has several readings, a log-linear model weighs that against its neighbours. Names begin with a surname, which has
/// readings of its own; places come from a table.
package struct DictionaryEngine: ReadingEngine {
  let readings: ReadingTable
  let folding: FoldingTable
  let words: WordTrie
  let context: ContextTable
  let surnames: WordTrie
  let givenNames: WordTrie
  let persons: WordTrie
  let places: WordTrie

  package init(_ data: PinyinData) {
    readings = data.readings
    folding = data.folding
    words = data.words
    context = data.context
    surnames = data.surnames
    givenNames = data.givenNames
    persons = data.persons
    places = data.places
  }

  package func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    let count = min(scalars.count, choices.count)
    guard count > 0, let source = scalars.baseAddress, let target = choices.baseAddress else { return }
    // Costs and nodes 4 bytes, characters and their kinds 2 and 2 (with two more kinds on either side), lengths 1.
    withUnsafeTemporaryAllocation(byteCount: Sentence.size(count), alignment: 8) { memory in
      guard let base = memory.baseAddress else { return }
      let sentence = Sentence(memory: base, scalars: source, choices: target, count: count)
      let traditional = sentence.fold(folding)
      switch kind {
      case .name where readName(sentence): return
      case .place: divide(sentence, withPlaces: true)
      default: divide(sentence, withPlaces: false)
      }
      choose(sentence, traditional: traditional)
    }
  }
}

/// A sentence on its way through the engine: characters folded and sorted into kinds, and how they are divided.
struct Sentence {
  let scalars: UnsafePointer<UInt32>
  let choices: UnsafeMutablePointer<ReadingChoice>
  let count: Int
  /// The sums that each reading of the character at hand has gathered.
  let sums: UnsafeMutablePointer<Int32>
  /// The least that the text from a position to its end costs.
  let costs: UnsafeMutablePointer<Int32>
  /// The node of the word that begins at a position, -1 for none; those of places lie below -1.
  let nodes: UnsafeMutablePointer<Int32>
  /// Simplified characters; 0 for what is no character of the Basic Multilingual Plane.
  let characters: UnsafeMutablePointer<UInt16>
  /// Characters as the model sees them: Chinese ones, 0 for digits, a for letters, a comma for everything else.
  let kinds: UnsafeMutablePointer<UInt16>
  /// The number of characters of the word that begins at a position.
  let lengths: UnsafeMutablePointer<UInt8>

  static let margin = 2

  static func size(_ count: Int) -> Int {
    ContextTable.width * 4 + (count + 1) * 4 + count * 4 + count * 2 + (count + 2 * margin) * 2 + count
  }

  init(
    memory: UnsafeMutableRawPointer, scalars: UnsafePointer<UInt32>,
    choices: UnsafeMutablePointer<ReadingChoice>, count: Int
  ) {
    self.scalars = scalars
    self.choices = choices
    self.count = count
    var next = memory
    func take<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
      let taken = next.bindMemory(to: Value.self, capacity: count)
      next += count * MemoryLayout<Value>.stride
      return taken
    }
    sums = take(ContextTable.width)
    costs = take(count + 1)
    nodes = take(count)
    characters = take(count)
    kinds = take(count + 2 * Self.margin) + Self.margin
    lengths = take(count)
  }

  /// Fills in characters and kinds; true where there are characters that only traditional text has.
  func fold(_ folding: FoldingTable) -> Bool {
    var traditional = false
    for index in 0..<count {
      let scalar = scalars[index]
      let character: UInt16
      let kind: UInt16
      if scalar < 0x3400 {
        character = UInt16(scalar)
        switch scalar {
        case 0x30...0x39: kind = 0x30
        case 0x41...0x5A, 0x61...0x7A: kind = 0x61
        case 0xB7: kind = 0xB7
        default: kind = 0x2C
        }
      } else if scalar <= 0xFFFF {
        let folded = folding[scalar]
        traditional = traditional || folded != scalar
        character = UInt16(truncatingIfNeeded: folded)
        switch character {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF: kind = character
        case 0xFF10...0xFF19: kind = 0x30
        default: kind = 0x2C
        }
      } else {
        character = 0
        kind = 0x2C
      }
      characters[index] = character
      kinds[index] = kind
    }
    for index in 1...Self.margin {
      kinds[-index] = 0x2C
      kinds[count + index - 1] = 0x2C
    }
    return traditional
  }
}
