import ArgumentParser
import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal

extension PinyinCommand {
  /// `mpaas pinyin convert [TEXT…]`: Chinese text to pinyin.
  struct Convert: MPaaSCommand {
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

    func run(in context: Context) async throws -> Nothing {
      if context.terminal.settings.isJSON {
        var stream = PinyinLineStream(options, isLossy: lossy)
        try convert(with: &stream, context)
      } else {
        var stream = PinyinTextStream(options, isLossy: lossy)
        try convert(with: &stream, context)
      }
      return Nothing()
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

    private func convert(with stream: inout some PinyinByteStream & ~Copyable, _ context: Context) throws {
      let write = context.terminal.data.writeBytes
      for text in texts { try stream.add(text, write) }
      for path in file where path != "-" {
        try naming(path) { try convert(Bytes.mapping(path), with: &stream, write) }
      }
      guard file.contains("-") || texts.isEmpty && file.isEmpty else { return }
      try naming(context.catalogue.text("text.standard-input")) { try convertStandardInput(with: &stream, write) }
    }

    private func convert(
      _ bytes: Bytes, with stream: inout some PinyinByteStream & ~Copyable,
      _ write: (UnsafeRawBufferPointer) -> Void
    ) throws {
      var rest = bytes.buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.piece))
        rest = rest.dropFirst(Self.piece)
        try stream.feed(piece, write)
      }
      try stream.finish(write)
      withExtendedLifetime(bytes) {}
    }

    /// Who waits for an answer before going on gets it: what one read gives is converted before the next.
    private func convertStandardInput(
      with stream: inout some PinyinByteStream & ~Copyable, _ write: (UnsafeRawBufferPointer) -> Void
    ) throws {
      var buffer = [UInt8](repeating: 0, count: Self.piece)
      while true {
        let count = try StandardInput.read(into: &buffer)
        guard count > 0 else { break }
        try buffer.withUnsafeBytes { try stream.feed(UnsafeRawBufferPointer(rebasing: $0[..<count]), write) }
      }
      try stream.finish(write)
    }

    /// Says of what is no UTF-8 in which input it stands.
    private func naming(_ input: String, _ work: () throws -> Void) throws {
      do {
        try work()
      } catch let error as PinyinError {
        guard error.code == .invalidUTF8, let offset = error.values["offset"].flatMap(UInt64.init) else { throw error }
        throw PinyinError(error.code, error.values, at: .bytes(file: input, offset: offset))
      }
    }

    /// Bytes taken at once.
    private static let piece = 1 << 16
  }
}
