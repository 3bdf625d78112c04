import MPaaSPinyin

/// `choices KIND TEXT…` prints how the dictionary engine reads texts, word by word, what each choice rests on, the length of
/// its word and its confidence.
func choices(_ arguments: [String]) throws {
  guard let kind = arguments.first.flatMap(TextKind.init) else {
    return print("usage: PinyinBench choices \(TextKind.allCases.map(\.rawValue).joined(separator: "|")) TEXT …")
  }
  let engine = DictionaryEngine(.builtIn)
  for text in arguments.dropFirst() {
    let choices = engine.choices(text.unicodeScalars.map(\.value), as: kind)
    print(
      choices.map {
        ($0.startsWord ? " " : "") + "\($0.reading.digits)(\($0.evidence),\($0.wordLength),\($0.confidence))"
      }.joined())
  }
}
