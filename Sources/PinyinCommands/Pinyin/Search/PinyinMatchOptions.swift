import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

/// The possible matches of a query.
struct PinyinMatchOptions: ParsableArguments {
  @Flag(help: .text("command.pinyin.search.fuzzy"))
  var fuzzy = false

  @Option(
    help: .text("command.pinyin.search.sounds", valueName: "sounds"),
    completion: .list(PinyinFuzzySounds.named.map(\.name)))
  var sounds: String?

  @Option(help: .text("command.pinyin.search.heteronyms"))
  var heteronyms: PinyinHeteronymsName = .all

  @Flag(name: .customLong("no-initials"), help: .text("command.pinyin.search.no-initials"))
  var noInitials = false

  @Flag(name: .customLong("no-prefixes"), help: .text("command.pinyin.search.no-prefixes"))
  var noPrefixes = false

  @Flag(name: .customLong("no-tones"), help: .text("command.pinyin.search.no-tones"))
  var noTones = false

  @Flag(help: .text("command.pinyin.search.gaps"))
  var gaps = false

  @Flag(name: .customLong("any-order"), help: .text("command.pinyin.search.any-order"))
  var anyOrder = false

  @Option(help: .text("command.pinyin.search.keyboard"))
  var keyboard: PinyinKeyboardName = .letters

  @Option(help: .text("command.pinyin.search.typos", valueName: "count"))
  var typos = 0

  func validate() throws {
    guard 0...1 ~= typos else {
      throw ValidationError(Catalogue.current.text("text.pinyin-search-typos", ["typos": "\(typos)"]))
    }
  }

  func options() throws -> PinyinSearchOptions {
    var options = PinyinSearchOptions()
    if let sounds {
      for name in sounds.split(separator: ",").map(String.init) {
        guard let found = PinyinFuzzySounds.named.first(where: { $0.name == name }) else {
          let names = PinyinFuzzySounds.named.map(\.name).joined(separator: ", ")
          throw Diagnostic("pinyin-search-sound", ["sound": name, "sounds": names], exit: .usage)
        }
        options.fuzzy.formUnion(found.sounds)
      }
    } else if fuzzy {
      options.fuzzy = .all
    }
    options.heteronyms = heteronyms.value
    options.initials = !noInitials
    options.prefixes = !noPrefixes
    options.tones = !noTones
    options.gaps = gaps
    options.anyOrder = anyOrder
    options.keyboard = keyboard.value
    options.typos = typos
    return options
  }
}

/// The keyboards, as the option has them.
enum PinyinKeyboardName: String, ExpressibleByArgument, CaseIterable {
  case letters, xiaohe, ziranma, microsoft, sogou, t9

  var value: PinyinKeyboard { PinyinKeyboard(rawValue: rawValue) ?? .letters }
}

/// The choice of readings, as the option has it.
enum PinyinHeteronymsName: String, ExpressibleByArgument, CaseIterable {
  case all, common, usual

  var value: PinyinHeteronyms {
    switch self {
    case .all: .all
    case .common: .common
    case .usual: .usual
    }
  }
}

/// The choice of hits that are printed, in which order, and what of them.
struct PinyinHitOptions: ParsableArguments {
  @Flag(help: .text("command.pinyin.search.all"))
  var all = false

  @Option(help: .text("command.pinyin.search.limit", valueName: "count"))
  var limit = 50

  @Option(help: .text("command.pinyin.search.order"))
  var order: HitOrder = .rank

  @Option(help: .text("command.pinyin.search.print"))
  var print: RecordPart?

  @Option(help: .text("command.pinyin.search.queries", valueName: "file"), completion: .file())
  var queries: String?

  func validate() throws {
    if limit < 1 { throw ValidationError(Catalogue.current.text("text.pinyin-search-limit", ["limit": "\(limit)"])) }
  }

  enum HitOrder: String, ExpressibleByArgument, CaseIterable {
    case rank, input
  }

  /// The queries of the arguments, then those of the file's lines.
  func queries(_ arguments: [String], _ options: PinyinSearchOptions, in context: Context) throws -> [PinyinQuery] {
    var texts = arguments
    if let queries {
      var options = RecordOptions()
      options.isLossy = false
      texts += try SearchRecords(context.data(at: queries), options: options, file: context.name(ofData: queries)).texts
    }
    return texts.map { PinyinQuery($0, options: options) }
  }

  /// Searches for each query, and hands its hits on before the next.
  ///
  /// - Returns: A negative answer where no query found anything.
  func answer(
    _ queries: [PinyinQuery], of searched: SearchedRecords, in context: Context, _ results: ResultSink
  ) throws -> ExitStatus {
    let terminal = context.terminal
    let limit = all ? nil : limit
    let total = try searched.answer(queries, limit: limit, order: order == .rank ? .rank : .input) { answer in
      guard !terminal.settings.isJSON else {
        return searched.json(of: answer).withUnsafeBytes(results.put(bytes:))
      }
      try results.put(
        FoundRecords(
          answer: answer, searched: searched, part: print ?? searched.usualPart, namesQuery: queries.count > 1,
          isRaw: !terminal.output.isTerminal))
      guard answer.total > answer.hits.count, terminal.errors.isTerminal else { return }
      let values = ["shown": "\(answer.hits.count)", "total": "\(answer.total)"]
      terminal.note(StyledText(context.catalogue.text("text.pinyin-search-more", values), .faint))
    }
    return total > 0 ? .done : .negative
  }
}

extension RecordPart: ExpressibleByArgument {}
