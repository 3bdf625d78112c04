import MPaaSPinyin
import MPaaSSupport
import MPaaSTransfer

/// The arguments of a request's query, each known and given once.
struct ServedArguments {
  static let search = [
    "q", "limit", "fuzzy", "heteronyms", "any_order", "gaps", "initials", "prefixes", "keyboard", "typos",
  ]
  static let convert = ["style", "kind", "engine", "all", "rare", "sandhi", "third_tone", "erhua", "umlaut", "lossy"]

  private var values: [String: String] = [:]

  init(_ request: ServedRequest, known: [String]) throws {
    for (name, bytes) in request.arguments {
      guard known.contains(name) else {
        throw Refusal(
          400, "pinyin-serve-argument", ["name": name, "path": request.path, "known": known.joined(separator: ", ")])
      }
      guard values[name] == nil else { throw Refusal(400, "pinyin-serve-twice", ["name": name]) }
      if let offset = bytes.withUnsafeBytes({ UTF8Check.firstFault(in: $0) }) {
        throw Refusal(400, "pinyin-serve-utf8", ["name": name, "offset": "\(offset)"])
      }
      values[name] = String(decoding: bytes, as: UTF8.self)
    }
  }

  func required(_ name: String) throws -> String {
    guard let value = values[name] else { throw Refusal(400, "pinyin-serve-missing", ["name": name]) }
    return value
  }

  private func unfit(_ name: String, _ value: String, _ known: [String]) -> Refusal {
    Refusal(400, "pinyin-serve-value", ["name": name, "value": value, "known": known.joined(separator: ", ")])
  }

  /// Whether something is wanted: `1` or `true`, also without a value; `fallback` where it is not named.
  func flag(_ name: String, or fallback: Bool = false) throws -> Bool {
    switch values[name] {
    case nil: return fallback
    case "", "1", "true": return true
    case "0", "false": return false
    case let value?: throw unfit(name, value, ["1", "0"])
    }
  }

  private func choice<Value: CaseIterable>(
    _ name: String, or fallback: Value, called word: (Value) -> String
  ) throws -> Value {
    guard let value = values[name] else { return fallback }
    guard let found = Value.allCases.first(where: { word($0) == value }) else {
      throw unfit(name, value, Value.allCases.map(word))
    }
    return found
  }

  /// The most hits; nil for all.
  func limit() throws -> Int? {
    guard let value = values["limit"] else { return 50 }
    if value == "all" { return nil }
    guard let limit = Int(value), limit >= 0 else { throw unfit("limit", value, ["0, 1, 2 …", "all"]) }
    return limit
  }

  func searchOptions() throws -> PinyinSearchOptions {
    var options = PinyinSearchOptions.standard
    options.heteronyms = try choice("heteronyms", or: options.heteronyms) { "\($0)" }
    options.anyOrder = try flag("any_order", or: options.anyOrder)
    options.gaps = try flag("gaps", or: options.gaps)
    options.initials = try flag("initials", or: options.initials)
    options.prefixes = try flag("prefixes", or: options.prefixes)
    options.fuzzy = try fuzzySounds()
    options.keyboard = try choice("keyboard", or: options.keyboard) { $0.rawValue }
    switch values["typos"] {
    case nil, "0": break
    case "1": options.typos = 1
    case let value?: throw unfit("typos", value, ["0", "1"])
    }
    return options
  }

  /// `all` or `1`, `none` or `0`, or names of sounds with commas between them.
  private func fuzzySounds() throws -> PinyinFuzzySounds {
    switch values["fuzzy"] {
    case nil, "none", "0", "false": return []
    case "all", "1", "true", "": return .all
    case let value?:
      var sounds: PinyinFuzzySounds = []
      for word in value.split(separator: ",") {
        guard let found = PinyinFuzzySounds.named.first(where: { $0.name == word }) else {
          throw unfit("fuzzy", String(word), ["all", "none"] + PinyinFuzzySounds.named.map(\.name))
        }
        sounds.insert(found.sounds)
      }
      return sounds
    }
  }

  func pinyinOptions() throws -> PinyinOptions {
    var options = PinyinOptions(
      try choice("style", or: PinyinStyle.marks) { $0.rawValue },
      kind: try choice("kind", or: TextKind.text) { $0.rawValue },
      engine: try choice("engine", or: PinyinEngine.auto) { $0.rawValue })
    options.heteronyms = try flag("rare") ? .all : try flag("all") ? .common : .chosenOnly
    options.appliesSandhi = try flag("sandhi")
    options.appliesThirdToneSandhi = try flag("third_tone")
    options.mergesErhua = try flag("erhua")
    if values["umlaut"] != nil { options.umlaut = try choice("umlaut", or: UmlautSpelling.umlaut) { $0.rawValue } }
    return options
  }
}
