import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("Ranking of hits")
struct SearchRankingTests {
  private func order(_ texts: [String], _ query: String, _ options: PinyinSearchOptions = .standard) -> [String] {
    let index = PinyinIndex(texts)
    return index.search(PinyinQuery(query, options: options)).hits.compactMap { index[$0.text] }
  }

  @Test("literal comes before full pinyin, before mixed, before initials")
  func kinds() {
    #expect(order(["安宁", "an", "阿牛"], "an") == ["an", "安宁", "阿牛"])
    let index = PinyinIndex(["an", "安宁", "阿牛", "安n"])
    let hits = index.search(PinyinQuery("an"), order: .input).hits
    #expect(hits.map(\.kind) == [.literal, .full, .mixed, .full])
    #expect(hits.map(\.isWholePinyin) == [false, true, true, true])
    #expect(hits.map(\.isWholeWords) == [true, true, false, true])
    #expect(index.search(PinyinQuery("zs")).hits.isEmpty)
    #expect(PinyinIndex(["张三"]).search(PinyinQuery("zs")).hits[0].kind == .initials)
  }

  @Test("the usual reading comes before others, exact before fuzzy")
  func readings() {
    #expect(order(["重", "充"], "chong") == ["充", "重"])
    var options = PinyinSearchOptions.standard
    options.fuzzy = .all
    #expect(order(["南", "兰"], "lan", options) == ["兰", "南"])
    let hit = PinyinIndex(["南"]).search(PinyinQuery("lan", options: options)).hits[0]
    #expect(hit.isFuzzy)
    #expect(!hit.usesRareReading)
  }

  @Test("then an earlier start, a higher coverage, pinyin and the order of input")
  func places() {
    #expect(order(["大张", "张大"], "zhang") == ["张大", "大张"])
    #expect(order(["张大伟", "张大"], "zhang") == ["张大", "张大伟"])
    #expect(order(["张中", "张安", "张把", "张安"], "zhang") == ["张安", "张安", "张把", "张中"])
  }

  @Test("a lower group comes first, whatever the match")
  func groups() {
    let index = PinyinIndex(["张三", "zs"], groups: [0, 1])
    let hits = index.search(PinyinQuery("zs")).hits
    #expect(hits.map(\.text) == [0, 1])
    #expect(hits.map(\.group) == [0, 1])
  }

  @Test("the best so many are the first of all, over several segments too")
  func top() {
    var random = SeededRandom(seed: 9)
    let texts = (0..<400).map { _ in RandomTexts.text(&random) }
    var index = PinyinIndex(texts.prefix(200))
    for text in texts.dropFirst(200) { index = index.adding([text]) }
    index = index.removing(stride(from: 0, to: 400, by: 7))
    for text in ["z", "x", "zh", "da", "t", "张", "n", "e", "1"] {
      let query = PinyinQuery(text)
      let all = index.search(query)
      for limit in [0, 1, 10, 1000] {
        let best = index.search(query, limit: limit)
        #expect(best.hits == Array(all.hits.prefix(limit)), "\(text) \(limit)")
        #expect(best.total == all.total)
      }
      let inOrder = index.search(query, order: .input).hits
      #expect(Set(inOrder) == Set(all.hits))
      #expect(inOrder.map(\.text) == inOrder.map(\.text).sorted())
    }
  }
}

@Suite("The best hits of one letter")
struct LetterRankingTests {
  @Test("are the first of all hits, in whatever texts and groups", arguments: [UInt64(1), 2, 3])
  func letters(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let texts = (0..<300).map { _ in RandomTexts.text(&random) }
    let groups = seed == 3 ? texts.map { _ in UInt8.random(in: 0...2, using: &random) } : []
    let index = PinyinIndex(texts, groups: groups, fewestIndexed: 0).adding(texts.prefix(60))
    var shortCuts = 0
    for letter in "abcdefghijklmnopqrstuvwxyz019" {
      var options = PinyinSearchOptions.standard
      options.tones = !letter.isNumber
      if seed == 2 { options.fuzzy = .all }
      let query = PinyinQuery(String(letter), options: options)
      let all = index.search(query)
      for limit in [1, 3, 10, 50, 1000] {
        let best = index.search(query, limit: limit)
        #expect(best.hits == Array(all.hits.prefix(limit)), "\(letter) \(limit)")
        #expect(best.total == all.total, "\(letter) \(limit)")
      }
      let found = index.compiled(query).compactMap { word in
        SegmentSearch(index.layers[0].segment, word)
          .eachOfLetter(Candidates(index.layers[0].segment, word), { _ in false }, { _ in })
      }
      shortCuts += found.count
    }
    #expect(shortCuts > 20)
  }
}

@Suite("An index that changes")
struct PinyinIndexChangeTests {
  @Test("texts keep their numbers while others come and go, and what holds the old index sees the old texts")
  func changes() {
    let first = PinyinIndex(["张三", "李四"])
    let second = first.adding(["王五", "赵六"]).removing([0, 3, 99])
    #expect((0..<5).map { second[$0] } == [nil, "李四", "王五", nil, nil])
    #expect(second.count == 2)
    #expect(second.endNumber == 4)
    #expect(first.search(PinyinQuery("zs")).total == 1)
    #expect(second.search(PinyinQuery("zs")).total == 0)
    let third = second.compacted()
    #expect((0..<5).map { third[$0] } == [nil, "李四", "王五", nil, nil])
    #expect(third.adding(["孙七"]).search(PinyinQuery("sq")).hits.map(\.text) == [4])
  }

  @Test("many small additions and removals give what one index of the rest gives")
  func random() {
    var random = SeededRandom(seed: 21)
    var index = PinyinIndex([])
    var texts: [Int: String] = [:]
    for round in 0..<150 {
      let batch = (0..<Int.random(in: 0...4, using: &random)).map { _ in RandomTexts.text(&random) }
      for (offset, text) in batch.enumerated() { texts[index.endNumber + offset] = text }
      index = index.adding(batch)
      if let number = texts.keys.sorted().randomElement(using: &random), round % 3 == 0 {
        texts[number] = nil
        index = index.removing([number])
      }
      if round == 100 { index = index.compacted() }
    }
    #expect(index.count == texts.count)
    #expect(index.layers.count < 12)
    let numbers = texts.keys.sorted()
    let fresh = PinyinIndex(numbers.map { texts[$0] ?? "" })
    for text in ["z", "xi", "a", "重", "tom", "-"] {
      let query = PinyinQuery(text)
      let expected = fresh.search(query, order: .input).hits.map { numbers[$0.text] }
      #expect(index.search(query, order: .input).hits.map(\.text) == expected, "\(text)")
    }
  }

  @Test("a highlight is around whole characters, in characters and in UTF-16")
  func highlights() {
    let text = "👨‍👩‍👧张e\u{301}三"
    let index = PinyinIndex([text])
    let hit = index.search(PinyinQuery("zes")).hits[0]
    #expect(hit.range == 5...8)
    let highlight = index.highlight(hit)
    #expect(highlight?.characters == 1..<4)
    #expect(highlight?.utf16 == 8..<12)
    #expect(PinyinHighlight(1...1, in: "e\u{301}x").characters == 0..<1)
    #expect(PinyinHighlight(9...12, in: "abc").utf16 == 3..<3)
  }
}
