import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

extension PinyinCommand {
  /// `mpaas pinyin convert [TEXT…]`: Chinese text to pinyin.
  struct Convert: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "pinyin.convert") }

    @Argument(help: .text("command.pinyin.convert.texts", valueName: "text"))
    var texts: [String] = []

    @Option(
      parsing: .upToNextOption, help: .text("command.pinyin.convert.file", valueName: "file"), completion: .file())
    var file: [String] = []

    @Option(help: .text("command.pinyin.convert.style"))
    var style = PinyinStyle.marks

    @Option(help: .text("command.pinyin.convert.kind"))
    var kind = TextKind.text

    @Option(help: .text("command.pinyin.convert.engine"))
    var engine = PinyinEngine.auto

    @Flag(help: .text("command.pinyin.convert.all"))
    var all = false

    @Flag(help: .text("command.pinyin.convert.rare"))
    var rare = false

    @Flag(help: .text("command.pinyin.convert.sandhi"))
    var sandhi = false

    @Flag(help: .text("command.pinyin.convert.third-tone"))
    var thirdTone = false

    @Flag(help: .text("command.pinyin.convert.erhua"))
    var erhua = false

    @Flag(help: .text("command.pinyin.convert.words"))
    var words = false

    @Flag(help: .text("command.pinyin.convert.capitalize"))
    var capitalize = false

    @Option(help: .text("command.pinyin.convert.umlaut"))
    var umlaut: UmlautSpelling?

    @Option(help: .text("command.pinyin.convert.separator", valueName: "text"))
    var separator = " "

    @Flag(help: .text("command.pinyin.convert.lossy"))
    var lossy = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      if context.terminal.settings.isJSON {
        var stream = PinyinLineStream(options, isLossy: lossy)
        try convert(with: &stream, in: context, results)
      } else {
        var stream = PinyinTextStream(options, isLossy: lossy)
        try convert(with: &stream, in: context, results)
      }
      return .done
    }

    private var options: PinyinOptions {
      var options = PinyinOptions(style, kind: kind, engine: engine)
      options.heteronyms = rare ? .all : all ? .common : .chosenOnly
      options.appliesSandhi = sandhi
      options.appliesThirdToneSandhi = thirdTone
      options.mergesErhua = erhua
      options.joinsWords = words
      options.capitalizes = capitalize
      options.umlaut = umlaut
      options.separator = separator
      return options
    }

    private func convert(
      with stream: inout some PinyinByteStream & ~Copyable, in context: Context, _ results: ResultSink
    ) throws {
      for text in texts { try stream.add(text, results.put(bytes:)) }
      for path in file where path != "-" {
        try stream.convert(Bytes.mapping(path), named: path, results.put(bytes:))
      }
      guard file.contains("-") || texts.isEmpty && file.isEmpty else { return }
      let input = context.catalogue.text("text.standard-input")
      try stream.convert(named: input, reading: StandardInput.read(into:), results.put(bytes:))
    }
  }
}
