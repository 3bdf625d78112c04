import MPaaSSupport

/// The arguments of a request's query, each known and given once.
struct RequestArguments {
  static let search = [
    "q", "limit", "fuzzy", "heteronyms", "any_order", "gaps", "initials", "prefixes", "keyboard", "typos",
  ]
  static let convert = ["style", "kind", "engine", "all", "rare", "sandhi", "third_tone", "erhua", "umlaut", "lossy"]

  private var values: [String: String] = [:]

  /// - Parameters:
  ///   - arguments: In their order, escapes taken out.
  ///   - path: The path that was asked for, for errors.
  init(_ arguments: [(name: String, value: [UInt8])], known: [String], path: String) throws(PinyinError) {
    for (name, bytes) in arguments {
      guard known.contains(name) else {
        let values = ["name": name, "path": path, "known": known.joined(separator: ", ")]
        throw PinyinError(.requestArgument, values)
      }
      guard values[name] == nil else { throw PinyinError(.requestTwice, ["name": name]) }
      if let offset = bytes.withUnsafeBytes({ UTF8Check.firstFault(in: $0) }) {
        throw PinyinError(.requestNotUTF8, ["name": name, "offset": "\(offset)"])
      }
      values[name] = String(decoding: bytes, as: UTF8.self)
    }
  }

  func required(_ name: String) throws(PinyinError) -> String {
    guard let value = values[name] else { throw PinyinError(.requestMissing, ["name": name]) }
    return value
  }

  private func unfit(_ name: String, _ value: String, _ known: [String]) -> PinyinError {
    PinyinError(.requestValue, ["name": name, "value": value, "known": known.joined(separator: ", ")])
  }

  /// A choice of yes or no: `1` or `true`, also without a value, is yes; `fallback` where it is not named.
  func flag(_ name: String, or fallback: Bool = false) throws(PinyinError) -> Bool {
    switch values[name] {
    case nil: return fallback
    case "", "1", "true": return true
    case "0", "false": return false
    case let value?: throw unfit(name, value, ["1", "0"])
    }
  }

  private func choice<Value: CaseIterable>(
    _ name: String, or fallback: Value, called word: (Value) -> String
  ) throws(PinyinError) -> Value {
    guard let value = values[name] else { return fallback }
    guard let found = Value.allCases.first(where: { word($0) == value }) else {
      throw unfit(name, value, Value.allCases.map(word))
    }
    return found
  }

  /// The most hits; nil for all.
  func limit() throws(PinyinError) -> Int? {
    guard let value = values["limit"] else { return 50 }
    if value == "all" { return nil }
    guard let limit = Int(value), limit >= 0 else { throw unfit("limit", value, ["0, 1, 2 …", "all"]) }
    return limit
  }

  func searchOptions() throws(PinyinError) -> PinyinSearchOptions {
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
  private func fuzzySounds() throws(PinyinError) -> PinyinFuzzySounds {
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

  func pinyinOptions() throws(PinyinError) -> PinyinOptions {
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

extension PinyinError.Code {
  /// A request that makes no sense.
  private static func request(_ id: DiagnosticID) -> Self { Self(id, exit: .usage) }

  /// An argument that the path does not know; `known` are those that it does.
  static var requestArgument: Self { .request("pinyin-serve-argument") }
  static var requestTwice: Self { .request("pinyin-serve-twice") }
  static var requestMissing: Self { .request("pinyin-serve-missing") }
  /// An argument whose value is none of `known`.
  static var requestValue: Self { .request("pinyin-serve-value") }
  static var requestNotUTF8: Self { .request("pinyin-serve-utf8") }
}
