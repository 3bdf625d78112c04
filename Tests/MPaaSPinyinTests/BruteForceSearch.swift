@testable import MPaaSPinyin

/// The hits that a search must find, told as plainly as can be: every start, every way of consuming, sets of offsets.
///
/// It knows the scalars, their readings spelled with tones, and the options; nothing of the index.
struct BruteForceSearch {
  struct Sound {
    let spelling: String
    let tone: Int
    let grade: PinyinHeteronyms
  }

  let sounds: (Unicode.Scalar) -> [Sound]
  let folding: PinyinFolding
  let options: PinyinSearchOptions
  private let letters: [UInt32]
  private let literals: [UInt32]
  private let tones: [UInt8]
  private let boundaries: Set<Int>

  /// - Parameter word: One word of the query, as it was normalised.
  init(
    _ word: PinyinQuery.Word, _ options: PinyinSearchOptions, _ folding: PinyinFolding,
    _ sounds: @escaping (Unicode.Scalar) -> [Sound]
  ) {
    letters = word.letters
    literals = word.literals
    tones = word.tones
    boundaries = word.boundaries
    self.options = options
    self.folding = folding
    self.sounds = sounds
  }

  private func after(_ scalar: Unicode.Scalar, _ offset: Int) -> Set<Int> {
    var reached: Set<Int> = []
    if SearchFolding(kinds: folding).folded(scalar) == literals[offset] { reached.insert(offset + 1) }
    for sound in sounds(scalar) where sound.grade.rawValue <= options.heteronyms.rawValue {
      let own = sound.spelling.unicodeScalars.map(\.value)
      for form in [own] + FuzzySpelling.forms(of: own, options.fuzzy) {
        for end in ends(form, sound.tone, offset) where !boundaries.contains(where: { offset < $0 && $0 < end }) {
          reached.insert(end)
        }
      }
    }
    return reached
  }

  private func ends(_ form: [UInt32], _ tone: Int, _ offset: Int) -> Set<Int> {
    let rest = Array(letters[offset...])
    var lengths: Set<Int> = []
    if options.initials {
      if form[0] == rest[0] { lengths.insert(1) }
      let cluster = form.count > 1 && form[1] == 0x68 && [0x7A, 0x63, 0x73].contains(form[0])
      if cluster, rest.starts(with: form[..<2]) { lengths.insert(2) }
    }
    if rest.starts(with: form) { lengths.insert(form.count) }
    if options.prefixes, form.starts(with: rest) { lengths.insert(rest.count) }
    lengths = lengths.filter { length in
      tone == 0 || tones[offset..<offset + length].allSatisfy { $0 == 0 || Int($0) == tone }
    }
    if options.tones, tone > 0, lengths.contains(form.count), rest.starts(with: form), rest.count > form.count {
      let digit = rest[form.count]
      if digit == UInt32(48 + tone) || tone == 5 && digit == 48 { lengths.insert(form.count + 1) }
    }
    return Set(lengths.map { offset + $0 })
  }

  func ranges(in text: [Unicode.Scalar]) -> [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    for start in text.indices {
      var states = after(text[start], 0)
      for index in start..<text.count {
        if index > start {
          let next = states.reduce(into: Set<Int>()) { $0.formUnion(after(text[index], $1)) }
          let stays = options.gaps || SearchFolding(kinds: folding).isPassedOver(text[index])
          states = stays ? next.union(states) : next
        }
        if states.remove(letters.count) != nil { found.append(start...index) }
        if states.isEmpty { break }
      }
    }
    return found
  }
}
