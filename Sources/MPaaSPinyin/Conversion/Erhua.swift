/// 儿 that closes the syllable before it.
enum Erhua {
  /// Gives 儿 the reading `.erhua` where it is no syllable of its own.
  static func merge(_ text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>) {
    for place in text.indices.dropFirst() where text[place] == 0x513F || text[place] == 0x5152 {
      let before = choices[place - 1].reading
      guard choices[place].reading.syllable.final == .er, before != .none, before != .erhua,
        !children.contains(text[place - 1])
      else { continue }
      if place + 1 < text.count {
        if childish.contains(text[place + 1]) { continue }
        // 儿 begins a word: 儿马.
        if choices[place].startsWord, choices[place + 1].reading != .none, !choices[place + 1].startsWord { continue }
      }
      choices[place].reading = .erhua
      choices[place].startsWord = false
    }
  }

  /// 儿 is a child behind these: 女儿, 婴儿, 新生儿, 混血儿, 幸运儿.
  private static let children = set("女婴嬰幼孤少胎健男宠寵侄姪甥患弃棄生血产產运運潮骄驕妻托託育病盲聋聾娇嬌乳")
  /// … and before these: 儿子, 儿童, 儿科.
  private static let childish = set("子女童科媳孙孫歌戏戲时時郎茶韵韻辈輩皇臣")

  private static func set(_ characters: String) -> Set<UInt32> { Set(characters.unicodeScalars.map(\.value)) }
}
