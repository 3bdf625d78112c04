import MPaaSSupport

/// The beginning of a syllable of Mandarin; the order is that of the data file.
public enum Initial: UInt8, Sendable, CaseIterable {
  case none, b, p, m, f, d, t, n, l, g, k, h, j, q, x, zh, ch, sh, r, z, c, s

  /// The letters, empty for a syllable without an initial.
  public var letters: String { self == .none ? "" : "\(self)" }
}

/// The sound that follows the initial, by its full name.
///
/// `iou` is written iu after an initial. The order is that of the data file. ü is `v`. The apical vowels of zhi and zi
/// are `i`; ong is `ueng`.
public enum Final: UInt8, Sendable, CaseIterable {
  case a, o, e, eh, ai, ei, ao, ou, an, en, ang, eng, er
  case i, ia, io, ie, iai, iao, iou, ian, `in`, iang, ing, iong
  case u, ua, uo, uai, uei, uan, uen, uang, ueng
  case v, ve, van, vn
  /// Syllabic consonants: 呒, 嗯, 哼.
  case m, n, ng
}

/// A syllable of Mandarin without its tone: initial and final.
public struct Syllable: Hashable, Sendable {
  /// Initial (5 bits) and final (6 bits).
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Makes a syllable of an initial and a final; the pair need not occur in Mandarin.
  public init(_ initial: Initial, _ final: Final) {
    rawValue = UInt16(initial.rawValue) << 6 | UInt16(final.rawValue)
  }

  /// The consonant that the syllable begins with; `none` where it has none.
  public var initial: Initial { Initial(rawValue: UInt8(truncatingIfNeeded: rawValue >> 6)) ?? .none }
  /// The vowels, and the consonant after them, that end the syllable.
  public var final: Final { Final(rawValue: UInt8(truncatingIfNeeded: rawValue & 63)) ?? .a }

  /// The spelling in Hanyu Pinyin (GB/T 16159), small letters, ü as `v`, ê as `ê`: `zhong`, `lv`, `yuan`.
  public var spelling: String { Self.spellings[Int(rawValue) & (Self.spellings.count - 1)] }

  /// The syllable of a spelling as `spelling` writes it, or with ü itself; nil where there is none.
  public init?(spelling: some StringProtocol) {
    guard let found = Self.bySpelling[spelling.lowercased().replacing(each: "ü", with: "v")] else { return nil }
    self = found
  }

  static let spellings: [String] = (0..<2048).map { raw in
    guard let initial = Initial(rawValue: UInt8(raw >> 6)), let final = Final(rawValue: UInt8(raw & 63)) else {
      return ""
    }
    return spelled(initial, final)
  }

  static let bySpelling: [String: Syllable] = {
    var found: [String: Syllable] = [:]
    for initial in Initial.allCases {
      for final in Final.allCases {
        // ju is jü: after j, q and x only ü stands.
        if [.j, .q, .x].contains(initial), (Final.u.rawValue...Final.ueng.rawValue).contains(final.rawValue) {
          continue
        }
        let spelling = spelled(initial, final)
        if found[spelling] == nil { found[spelling] = Syllable(initial, final) }
      }
    }
    return found
  }()

  private static func spelled(_ initial: Initial, _ final: Final) -> String {
    let name = final == .eh ? "ê" : "\(final)"
    if [.m, .n, .ng].contains(final) { return initial.letters + name }
    guard initial != .none else {
      switch final {
      case .i, .in, .ing: return "y" + name
      case .iou: return "you"
      case .u: return "wu"
      case .uei: return "wei"
      case .uen: return "wen"
      case _ where name.hasPrefix("i"): return "y" + name.dropFirst()
      case _ where name.hasPrefix("u"): return "w" + name.dropFirst()
      case _ where name.hasPrefix("v"): return "yu" + name.dropFirst()
      default: return name
      }
    }
    switch final {
    case .iou: return initial.letters + "iu"
    case .uei: return initial.letters + "ui"
    case .uen: return initial.letters + "un"
    case .ueng: return initial.letters + "ong"
    case _ where name.hasPrefix("v") && [.j, .q, .x].contains(initial):
      return initial.letters + "u" + name.dropFirst()
    default: return initial.letters + name
    }
  }
}

/// One of the four tones of Mandarin, or none.
public enum Tone: UInt8, Sendable, CaseIterable {
  case first = 1
  case second, third, fourth, neutral
}

/// One way to read a character: a syllable and its tone, in 14 bits as the data file has it.
public struct Reading: Hashable, Sendable {
  /// Initial (5 bits), final (6 bits), tone (3 bits); 0 where a character has no reading.
  package let rawValue: UInt16

  /// The reading of a character that has none.
  package static let none = Reading(rawValue: 0)
  /// The reading of a 儿 that has become a part of the syllable before it.
  package static let erhua = Reading(rawValue: 0x3FFF)

  /// Bits above the reading itself are dropped.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue & 0x3FFF
  }

  /// Makes a reading of a syllable and its tone.
  public init(_ syllable: Syllable, _ tone: Tone) {
    rawValue = syllable.rawValue << 3 | UInt16(tone.rawValue)
  }

  /// A reading spelled with its tone's digit: `zhong4`, `lv4`, `ma5`; nil where it is no syllable of Mandarin.
  public init?(digits text: some StringProtocol) {
    guard let last = text.unicodeScalars.last, last.isASCII, let tone = Tone(rawValue: UInt8(last.value) &- 0x30),
      let syllable = Syllable(spelling: text.dropLast())
    else { return nil }
    self.init(syllable, tone)
  }

  /// The syllable without its tone.
  public var syllable: Syllable { Syllable(rawValue: rawValue >> 3) }
  /// The tone of the syllable.
  public var tone: Tone { Tone(rawValue: UInt8(rawValue & 7)) ?? .neutral }

  /// The spelling with the tone's digit, ü as `v`, neutral 5.
  public var digits: String { syllable.spelling + String(tone.rawValue) }
}
