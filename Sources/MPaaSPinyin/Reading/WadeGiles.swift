/// Wade–Giles, as Giles' dictionary of 1912 spells it.
enum WadeGiles {
  /// The letters of a syllable, ü as `v`.
  static func letters(_ syllable: Syllable) -> String {
    let initial = syllable.initial
    switch (initial, syllable.final) {
    case (.zh, .i): return "chih"
    case (.ch, .i): return "ch’ih"
    case (.sh, .i): return "shih"
    case (.r, .i): return "jih"
    case (.z, .i): return "tzu"
    case (.c, .i): return "tz’u"
    case (.s, .i): return "ssu"
    case (.g, .e), (.k, .e), (.h, .e): return initials[Int(initial.rawValue)] + "o"
    case (.g, .uo), (.k, .uo), (.h, .uo), (.sh, .uo): return initials[Int(initial.rawValue)] + "uo"
    case (.g, .uei), (.k, .uei): return initials[Int(initial.rawValue)] + "uei"
    case (.none, let final): return alone[final] ?? finals[Int(final.rawValue)]
    case (_, let final): return initials[Int(initial.rawValue)] + finals[Int(final.rawValue)]
    }
  }

  static func digit(_ tone: Tone) -> String {
    switch tone {
    case .first: "¹"
    case .second: "²"
    case .third: "³"
    case .fourth: "⁴"
    case .neutral: ""
    }
  }

  private static let initials = [
    "", "p", "p’", "m", "f", "t", "t’", "n", "l", "k", "k’", "h", "ch", "ch’", "hs", "ch", "ch’", "sh", "j", "ts",
    "ts’", "s",
  ]
  /// Behind an initial, in the order of `Final`.
  private static let finals = [
    "a", "o", "ê", "eh", "ai", "ei", "ao", "ou", "an", "ên", "ang", "êng", "êrh",
    "i", "ia", "io", "ieh", "iai", "iao", "iu", "ien", "in", "iang", "ing", "iung",
    "u", "ua", "o", "uai", "ui", "uan", "un", "uang", "ung",
    "v", "veh", "van", "vn", "m", "n", "ng",
  ]
  /// Finals that are written otherwise where they stand alone.
  private static let alone: [Final: String] = [
    .ia: "ya", .io: "yo", .ie: "yeh", .iai: "yai", .iao: "yao", .iou: "yu", .ian: "yen", .in: "yin", .iang: "yang",
    .ing: "ying", .iong: "yung", .u: "wu", .ua: "wa", .uo: "wo", .uai: "wai", .uei: "wei", .uan: "wan", .uen: "wên",
    .uang: "wang", .ueng: "wêng", .v: "yv", .ve: "yveh", .van: "yvan", .vn: "yvn",
  ]
}
