import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("Searches by double pinyin, by nine keys and with typing errors")
struct SearchTypingTests {
  private static let texts = [
    "中国", "双拼", "英语", "安全", "昂贵", "儿子", "女人", "略过", "月亮", "张三", "李小龙", "翁先生", "欧阳", "阿明", "鹅肉", "全部",
    "轩辕", "运气", "怀疑", "Tom 汤", "旅行",
  ]

  private func found(_ query: String, _ change: (inout PinyinSearchOptions) -> Void) -> [String] {
    var options = PinyinSearchOptions()
    options.initials = false
    options.prefixes = false
    change(&options)
    let index = PinyinIndex(Self.texts)
    return index.search(PinyinQuery(query, options: options)).hits.compactMap { index[$0.text] }
  }

  @Test(
    "two keys a reading find it by each of the four charts",
    arguments: [
      (
        PinyinKeyboard.xiaohe,
        "vsgo ulpb ykyu anqr ahgv erzi nvrf ltgo ytll vhsj wgxm ouyh aamk eerz xryr yyqi hkyi lvxk"
      ),
      (.ziranma, "vsgo udpn yyyu anqr ahgv erzi nvrf ltgo ytld vhsj wgxm ouyh aamy eerb xryr ypqi hyyi lvxy"),
      (.microsoft, "vsgo udpn y;yu ojqr ohgv orzi nyrf ltgo ytld vhsj wgxm obyh oam; oerb xryr ypqi hyyi lyx;"),
      (.sogou, "vsgo udpn y;yu ojqr ohgv orzi nyrf ltgo ytld vhsj wgxm obyh oam; oerb xryr ypqi hyyi lyx;"),
    ])
  func doublePinyin(keyboard: PinyinKeyboard, keys: String) throws {
    let texts = [
      "中国", "双拼", "英语", "安全", "昂贵", "儿子", "女人", "略过", "月亮", "张三", "翁先", "欧阳", "阿明", "鹅肉", "轩辕", "运气", "怀疑",
      "旅行",
    ]
    let words = keys.split(separator: " ").map(String.init)
    #expect(words.count == texts.count)
    for (text, word) in zip(texts, words) {
      let hits = found(word) { $0.keyboard = keyboard }
      #expect(hits.contains { $0.hasPrefix(text) }, "\(word) for \(text): \(hits)")
      #expect(hits.count == 1, "\(word): \(hits)")
    }
  }

  @Test("every reading of the data that has a vowel has its keys, and they are two", arguments: PinyinKeyboard.allCases)
  func everyReading(keyboard: PinyinKeyboard) {
    for name in SearchReadings.builtIn.spellings.names {
      let forms = keyboard.forms(of: name)
      let text = String(String.UnicodeScalarView(name.compactMap(Unicode.Scalar.init)))
      guard text.contains(where: { "aeiouv".contains($0) }) else { continue }
      #expect(!forms.isEmpty, "\(text)")
      switch keyboard {
      case .letters, .t9: #expect(forms.map(\.count) == [name.count])
      default: #expect(forms.allSatisfy { $0.count == 2 }, "\(text)")
      }
    }
  }

  @Test("nine keys find readings, first letters and the letters of texts")
  func nineKeys() {
    #expect(found("94264726") { $0.keyboard = .t9 } == ["张三"])
    #expect(found("866") { $0.keyboard = .t9 } == ["Tom 汤"])
    let initials = found("5#5") { _ in }
    #expect(initials.isEmpty)
    let short = found("595") { (options) in
      options.keyboard = .t9
      options.initials = true
    }
    #expect(short == ["李小龙"])
    let cluster = found("9474") { (options) in
      options.keyboard = .t9
      options.initials = true
    }
    #expect(cluster.contains("张三") == false)
    #expect(
      !found("947") {
        $0.keyboard = .t9; $0.initials = true
      }.isEmpty)
  }

  @Test(
    "one letter missing, added, wrong or in the place of its neighbor is forgiven in a reading",
    arguments: ["zhngsan", "zhanngsan", "zhamgsan", "zhagnsan", "zhangsn", "zhangsna", "zhangssan"])
  func typo(query: String) {
    #expect(found(query) { _ in }.isEmpty)
    #expect(found(query) { $0.typos = 1 } == ["张三"])
  }

  @Test("two errors are not forgiven, nor one in a short query, and what was typed rightly comes first")
  func limits() throws {
    #expect(found("zhngsn") { $0.typos = 1 }.isEmpty)
    #expect(found("zhn") { $0.typos = 1 }.isEmpty)
    let index = PinyinIndex(["李小龙", "卢小龙", "路小龙湾"])
    var options = PinyinSearchOptions()
    options.typos = 1
    let query = PinyinQuery("luxiaolong", options: options)
    let hits = index.search(query).hits
    #expect(hits.map { index[$0.text] } == ["卢小龙", "路小龙湾", "李小龙"])
    #expect(hits.map(\.isMistyped) == [false, false, true])
    #expect(index.ranges(of: query, in: hits[2].text) == [0...2])
    #expect(index.search(query, limit: 1).total == 3)
    #expect(index.search(query, limit: 2, order: .input).hits.map(\.text) == [0, 1])
  }

  @Test("errors inside of readings are found, and nothing that is more than one error away", .fixtures)
  func random() throws {
    let contacts = try SearchFixture.contacts().filter { $0.unicodeScalars.allSatisfy { 0x4E00...0x9FFF ~= $0.value } }
    let texts = Array(contacts.filter { 2...4 ~= $0.count }.prefix(400))
    let readings = try SearchFixture.readings()
    let index = PinyinIndex(texts, readings: readings, folding: [], fewestIndexed: 0)
    var options = PinyinSearchOptions.plain
    options.initials = false
    options.prefixes = false
    var forgiving = options
    forgiving.typos = 1
    var random = SeededRandom(seed: 7)
    for _ in 0..<SeededRandom.rounds(or: 60) {
      let text = try #require(texts.randomElement(using: &random))
      var syllables = text.unicodeScalars.map { scalar in
        var names: [String] = []
        readings.forEach(of: scalar.value) { entry in
          names.append(
            String(
              String.UnicodeScalarView(readings.spellings.names[entry.spelling].compactMap(Unicode.Scalar.init))))
        }
        return names.first ?? ""
      }
      let place = Int.random(in: 0..<syllables.count, using: &random)
      guard syllables[place].count > 2, syllables.joined().count > 5 else { continue }
      syllables[place] = Self.damaged(syllables[place], &random)
      let typed = syllables.joined()
      let hits = index.search(PinyinQuery(typed, options: forgiving), order: .input).hits.map(\.text)
      #expect(hits.contains { texts[$0] == text }, "\(typed) for \(text)")
      let near = Set(Self.variants(of: typed) + [typed])
      let possible = Set(
        near.flatMap { index.search(PinyinQuery($0, options: options), order: .input).hits.map(\.text) })
      #expect(possible.isSuperset(of: hits), "\(typed)")
    }
  }

  private static func damaged(_ word: String, _ random: inout SeededRandom) -> String {
    var letters = Array(word)
    let place = Int.random(in: 0..<letters.count, using: &random)
    let letter = Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A, using: &random)))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: letters.remove(at: place)
    case 1: letters.insert(letter, at: place)
    case 2: letters[place] = letter
    default: letters.swapAt(place, (place + 1) % letters.count == 0 ? max(place - 1, 0) : place + 1)
    }
    return String(letters)
  }

  /// Everything one error away.
  private static func variants(of word: String) -> [String] {
    let letters = Array(word)
    let alphabet = (0x61...0x7A).map { Character(Unicode.Scalar(UInt8($0))) }
    var all: [[Character]] = []
    for place in letters.indices {
      all.append(Array(letters[..<place]) + Array(letters[(place + 1)...]))
      all += alphabet.map { Array(letters[..<place]) + [$0] + letters[(place + 1)...] }
      if place + 1 < letters.count {
        var swapped = letters
        swapped.swapAt(place, place + 1)
        all.append(swapped)
      }
    }
    for place in 0...letters.count { all += alphabet.map { Array(letters[..<place]) + [$0] + letters[place...] } }
    return all.map { String($0) }
  }
}
