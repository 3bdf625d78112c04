/// The rules by which the bytes of a language are split into tokens.
struct Syntax: Sendable {
  let language: SourceLanguage
  /// `//` begins a comment.
  var hasSlashComments = false
  var hasBlockComments = false
  var nestsComments = false
  /// `--` begins a comment, `--[[` a long one.
  var hasDashComments = false
  /// `#` as the first sign of a line begins a directive, which is left out.
  var skipsDirectives = false
  /// `@word` is one token where the word is one of these.
  var atWords: Set<String> = []
  /// The same of `#word`.
  var hashWords: Set<String> = []
  /// `'` begins a string or character.
  var hasSingleQuotes = true
  /// `"""` begins a text of several lines.
  var hasTripleQuotes = false
  /// Backquotes surround text, as in templates.
  var hasBackquotes = false
  var hasRegularExpressions = false
  /// A backslash at the end of a line joins it to the next.
  var joinsLines = false
  /// The digits of a number may be parted by `'`.
  var hasQuotedDigits = false
  /// Semicolons say nothing that line ends do not.
  var skipsSemicolons = false
  /// `import …` and `package …` as a statement of a line.
  var importWords: Set<String> = []
  var keywords: Set<String> = []
  /// Operators of more than one byte, the longest first among those with the same first byte.
  let operators: OperatorTable

  init(_ language: SourceLanguage, operators: String, keywords: String = "") {
    self.language = language
    self.operators = OperatorTable(operators)
    self.keywords = Set(keywords.split(separator: " ").map(String.init))
  }
}

/// The operators of a language by their first bytes.
struct OperatorTable: Sendable {
  private var lists = [[[UInt8]]](repeating: [], count: 128)

  init(_ text: String) {
    for word in text.split(separator: " ").map({ Array($0.utf8) }).sorted(by: { $0.count > $1.count }) {
      guard let first = word.first, first < 128 else { continue }
      lists[Int(first)].append(word)
    }
  }

  /// The length of the operator at `place`; 1 where there is no longer one.
  @inline(__always)
  func length(_ bytes: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Int {
    let first = bytes[place]
    guard first < 128 else { return 1 }
    let list = lists[Int(first)]
    if list.isEmpty { return 1 }
    for word in list where place + word.count <= end {
      var same = 1
      while same < word.count, bytes[place + same] == word[same] { same += 1 }
      if same == word.count { return same }
    }
    return 1
  }
}
