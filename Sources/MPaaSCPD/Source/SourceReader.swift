import MPaaSSupport
import MPaaSToolSupport

/// All sources as tokens.
struct ReadSources: Sendable {
  var sources: [CodeSource] = []
  var stream = TokenStream()
  /// The line of each token of the stream, from 1.
  var lines: [UInt32] = []
  var unread: [UnreadSource] = []
  /// Paths that were left out since a machine wrote them.
  var generated: [String] = []
}

/// Sources split into tokens, a share of them by each processor.
struct SourceReader: Sendable {
  /// Bytes: no source is larger.
  static let limit = 1 << 26

  var ignoresImports = false
  /// Texts and numbers count as the same.
  var ignoresLiterals = false
  var skipsGenerated = true

  /// A share of the sources as one processor read it; its numbers of tokens are those of its table.
  private final class Share {
    let table = TokenTable()
    var sources: [(source: CodeSource, hash: UInt64)] = []
    var tokens: [UInt32] = []
    var lines: [UInt32] = []
    var unread: [UnreadSource] = []
    var generated: [String] = []
  }

  func read(_ files: [SourceFile], processors: Int) -> ReadSources {
    let parts = Self.shares(files, processors)
    nonisolated(unsafe) let shares = parts.map { _ in Share() }
    if shares.count == 1 {
      fill(shares[0], parts[0])
    } else {
      Workers.run(shares.count) { fill(shares[$0], parts[$0]) }
    }
    return join(shares)
  }

  /// The files in runs of about the same size.
  private static func shares(_ files: [SourceFile], _ processors: Int) -> [ArraySlice<SourceFile>] {
    let total = files.reduce(0) { $0 + $1.size }
    let count = total < 1 << 21 ? 1 : max(1, min(processors, 16))
    var parts: [ArraySlice<SourceFile>] = []
    var start = 0
    var sum = 0
    for (index, file) in files.enumerated() {
      sum += file.size
      if sum >= total / count, parts.count < count - 1 {
        parts.append(files[start...index])
        start = index + 1
        sum = 0
      }
    }
    return parts + [files[start...]]
  }

  private func fill(_ share: Share, _ files: ArraySlice<SourceFile>) {
    var input = LexerInput()
    for file in files {
      do throws(FileError) {
        guard try input.load(file.path, limit: Self.limit) else {
          share.unread.append(UnreadSource(path: file.path, reason: "too large"))
          continue
        }
      } catch {
        share.unread.append(UnreadSource(path: file.path, reason: error.code.description))
        continue
      }
      if skipsGenerated, GeneratedHeader.stands(in: input.bytes) {
        share.generated.append(file.path)
        continue
      }
      lex(input, file, into: share)
    }
  }

  private func lex(_ input: borrowing LexerInput, _ file: SourceFile, into share: Share) {
    var source = CodeSource(path: file.path, language: file.language)
    source.start = share.tokens.count
    var sink = NumberSink(share.table, input.memory, file.language.family, ignoresLiterals)
    swap(&sink.tokens, &share.tokens)
    swap(&sink.lines, &share.lines)
    var lexer = Lexer(input, file.language, ignoresImports: ignoresImports, into: sink)
    sink = NumberSink(share.table, input.memory, 0, false)
    lexer.run()
    lexer.sink.goTo(input.count)
    source.lines = Int(lexer.sink.line) - (input.count > 0 && input.memory[input.count - 1] != 0x0a ? 0 : 1)
    swap(&lexer.sink.tokens, &share.tokens)
    swap(&lexer.sink.lines, &share.lines)
    source.length = share.tokens.count - source.start
    source.tokens = source.length - lexer.sink.cuts
    source.tallTokens = lexer.sink.tallTokens
    share.sources.append((source, TokenHash.of(input.memory, input.count)))
  }

  private func join(_ shares: [Share]) -> ReadSources {
    var read = ReadSources()
    let table = shares.count == 1 ? shares[0].table : TokenTable(capacity: 1 << 16)
    var known: [UInt64: [Int]] = [:]
    let count = shares.reduce(0) { $0 + $1.tokens.count + $1.sources.count }
    read.stream.tokens.reserveCapacity(count)
    read.lines.reserveCapacity(count)
    for share in shares {
      let numbers = shares.count == 1 ? share.table.entries.indices.map { UInt32($0) } : table.merge(share.table)
      for (source, hash) in share.sources {
        var source = source
        let range = source.start..<source.start + source.length
        let start = read.stream.tokens.count
        read.stream.append(share.tokens[range], numbers: numbers)
        let original = known[hash]?.first { Self.isSame(read.sources[$0], source, start, read.stream) }
        source.start = start
        if let original {
          source.original = original
          source.start = read.sources[original].start
          read.stream.tokens.removeSubrange(start...)
        } else {
          known[hash, default: []].append(read.sources.count)
          read.lines += share.lines[range]
          read.stream.appendEnd()
          read.lines.append(0)
        }
        read.sources.append(source)
      }
      read.unread += share.unread
      read.generated += share.generated
      share.tokens = []
      share.lines = []
    }
    read.stream.kinds = table.entries.map(\.kind)
    read.stream.hashes = table.entries.map(\.hash)
    return read
  }

  private static func isSame(_ known: CodeSource, _ source: CodeSource, _ start: Int, _ stream: TokenStream) -> Bool {
    guard known.length == source.length, known.lines == source.lines, known.language == source.language else {
      return false
    }
    return (0..<source.length).allSatisfy { offset in
      let (one, other) = (stream.tokens[known.start + offset], stream.tokens[start + offset])
      return one == other || (one >= TokenStream.firstEnd && other >= TokenStream.firstEnd)
    }
  }
}

/// Tokens as numbers of a table, with their lines.
private struct NumberSink: TokenSink {
  let table: TokenTable
  let bytes: UnsafePointer<UInt8>
  let family: UInt8
  let ignoresLiterals: Bool
  var tokens: [UInt32] = []
  var lines: [UInt32] = []
  var tallTokens: [Int: Int] = [:]
  var cuts = 0
  var line: UInt32 = 1
  private var seen = 0
  private var count = 0

  init(_ table: TokenTable, _ bytes: UnsafePointer<UInt8>, _ family: UInt8, _ ignoresLiterals: Bool) {
    (self.table, self.bytes, self.family, self.ignoresLiterals) = (table, bytes, family, ignoresLiterals)
  }

  /// Counts the lines up to a byte.
  @inline(__always)
  mutating func goTo(_ place: Int) {
    var next = seen
    while next < place {
      line &+= bytes[next] == 0x0a ? 1 : 0
      next += 1
    }
    seen = max(seen, place)
  }

  @inline(__always)
  mutating func take(_ kind: TokenKind, _ start: Int, _ end: Int) {
    goTo(start)
    lines.append(line)
    count += 1
    if kind.rawValue >= TokenKind.number.rawValue {
      if kind != .number {
        let first = line
        goTo(end)
        if line > first { tallTokens[count - 1] = Int(line - first) }
      }
      if ignoresLiterals, kind != .text {
        var sign: UInt8 = kind == .number ? 0x30 : 0x22
        tokens.append(table.number(kind, &sign, 1, family))
        return
      }
    }
    tokens.append(table.number(kind, bytes + start, end - start, family))
  }

  mutating func cut() {
    lines.append(line)
    tokens.append(.max)
    count += 1
    cuts += 1
  }
}
