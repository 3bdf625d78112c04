/// The tones that 一 and 不 take in speech, and third tones before third tones.
enum ToneSandhi {
  private static let one: UInt32 = 0x4E00  // 一
  private static let not: UInt32 = 0x4E0D  // 不
  private static let oneFirst = Reading(Syllable(.none, .i), .first)
  private static let notFourth = Reading(Syllable(.b, .u), .fourth)

  static func apply(
    _ text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>, _ table: ReadingTable
  ) {
    // The next character keeps its own tone until its turn, so that 一不 looks at bù.
    for place in text.indices {
      let scalar = text[place]
      guard scalar == one || scalar == not else { continue }
      let next = place + 1
      guard next < text.count, choices[next].reading != .none else { continue }
      let following = tone(of: text[next], choices[next], table)
      if scalar == one, choices[place].reading == oneFirst, isCardinal(text, choices, place) {
        let isBetween = stands(between: text, choices, place) && !(place >= 2 && text[place - 2] == one)
        choices[place].reading = oneFirst.toned(isBetween ? .neutral : following == .fourth ? .second : .fourth)
      } else if scalar == not, choices[place].reading == notFourth {
        if stands(between: text, choices, place) {
          choices[place].reading = notFourth.toned(.neutral)
        } else if following == .fourth {
          choices[place].reading = notFourth.toned(.second)
        }
      }
    }
  }

  /// A third tone before a third tone of the same word becomes a second.
  static func applyToThirdTones(
    _ text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    for place in text.indices.dropLast() {
      let reading = choices[place].reading, next = choices[place + 1]
      if reading.tone == .third, next.reading.tone == .third, !next.startsWord {
        choices[place].reading = reading.toned(.second)
      }
    }
  }

  /// The tone that a character has by itself, where it is neutral here: 个 in 一个.
  private static func tone(of scalar: UInt32, _ choice: ReadingChoice, _ table: ReadingTable) -> Tone {
    choice.reading.tone == .neutral ? table.usual(scalar).tone : choice.reading.tone
  }

  /// Tells whether the same character stands on both sides: 看一看, 好不好.
  private static func stands(
    between text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>, _ place: Int
  ) -> Bool {
    place > 0 && place + 1 < text.count && text[place - 1] == text[place + 1] && text[place - 1] != text[place]
      && choices[place - 1].reading != .none
  }

  /// Tells whether 一 counts things: not as a digit (一九九一), an ordinal (第一, 一月) or the end of a word (统一).
  private static func isCardinal(
    _ text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>, _ place: Int
  ) -> Bool {
    let before = place > 0 ? text[place - 1] : 0
    let after = text[place + 1]
    let behind = place + 2 < text.count ? text[place + 2] : 0
    if isDigit(before) || isDigit(after) { return false }
    switch before {
    case 0x7B2C, 0x521D, 0x5341: return false  // 第 初 十
    case 0x671F where place >= 2 && text[place - 2] == 0x661F: return false  // 星期
    case 0x62DC where place >= 2 && [0x793C, 0x79AE].contains(text[place - 2]): return false  // 礼拜
    case 0x6708 where [0x65E5, 0x53F7, 0x865F].contains(after): return false  // 月 … 日 号
    default: break
    }
    switch after {
    case 0x5341, 0x6708, 0x53F7, 0x865F: return false  // 十 月 号
    case 0x70B9, 0x9EDE: if isDigit(behind) { return false }  // 点
    default: break
    }
    let closesWord = !choices[place].startsWord && choices[place + 1].startsWord
    return !closesWord || stands(between: text, choices, place)
  }

  /// 0…9, full width too, 〇, 零, and 一 to 九.
  private static func isDigit(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x30...0x39, 0xFF10...0xFF19, 0x3007, 0x96F6: true
    case 0x4E00, 0x4E8C, 0x4E09, 0x56DB, 0x4E94, 0x516D, 0x4E03, 0x516B, 0x4E5D: true
    default: false
    }
  }
}

extension Reading {
  /// The same syllable in another tone.
  func toned(_ tone: Tone) -> Reading { Reading(syllable, tone) }
}
