extension Syntax {
  /// The rules of a language.
  static func of(_ language: SourceLanguage) -> Syntax { table[Int(language.rawValue)] }

  private static let table: [Syntax] = SourceLanguage.allCases.map(make)

  private static func make(_ language: SourceLanguage) -> Syntax {
    switch language {
    case .swift: swift
    case .c: c
    case .objectiveC: objectiveC
    case .java: java
    case .kotlin: kotlin
    case .javascript: javascript
    case .lua: lua
    case .xml, .text: Syntax(language, operators: "")
    }
  }

  private static var swift: Syntax {
    var syntax = Syntax(
      .swift, operators: "... .. -> && || == <= >= ===",
      keywords: """
        actor as associatedtype async await break case catch class continue default defer deinit do else enum extension \
        fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let \
        mutating nil nonisolated open operator override package private protocol public repeat required rethrows return \
        self Self set some any static struct subscript super switch throw throws true try typealias unowned var weak \
        where while willSet didSet borrowing consuming precedencegroup convenience dynamic optional each macro
        """)
    syntax.hasSlashComments = true
    syntax.hasBlockComments = true
    syntax.nestsComments = true
    syntax.hasTripleQuotes = true
    syntax.hasSingleQuotes = false
    syntax.hashWords = [
      "if", "else", "elseif", "endif", "warning", "error", "selector", "keyPath", "available", "unavailable",
      "sourceLocation", "file", "fileID", "filePath", "line", "column", "function", "dsohandle",
    ]
    syntax.importWords = ["import"]
    return syntax
  }

  private static let cWords = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register \
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Atomic \
    alignas alignof bool catch class concept const_cast consteval constexpr constinit co_await co_return co_yield \
    decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept nullptr operator private \
    protected public reinterpret_cast requires static_assert static_cast template this thread_local throw true try \
    typeid typename using virtual wchar_t NULL
    """

  private static var c: Syntax {
    var syntax = Syntax(
      .c, operators: ":: -> ++ -- << >> <<= >>= <= >= == != && || += -= *= /= %= &= |= ^= ... ->* .*",
      keywords: cWords)
    syntax.hasSlashComments = true
    syntax.hasBlockComments = true
    syntax.skipsDirectives = true
    syntax.joinsLines = true
    syntax.hasQuotedDigits = true
    return syntax
  }

  private static var objectiveC: Syntax {
    var syntax = Syntax(
      .objectiveC, operators: "-> ++ -- << >> <<= >>= <= >= == != && || += -= *= /= %= &= |= ^= ... ::",
      keywords: cWords + " id self super nil Nil YES NO instancetype in nonatomic strong weak copy assign readonly")
    syntax.hasSlashComments = true
    syntax.hasBlockComments = true
    syntax.skipsDirectives = true
    syntax.atWords = Set(
      """
      interface implementation end property synthesize dynamic selector protocol class private public protected \
      optional required try catch finally throw autoreleasepool synchronized encode defs compatibility_alias package
      """.split(separator: " ").map(String.init))
    return syntax
  }

  private static var java: Syntax {
    var syntax = Syntax(
      .java, operators: ":: -> ++ -- << <= >= == != && || += -= *= /= %= &= |= ^= <<= >>= >>>= ...",
      keywords: """
        abstract assert boolean break byte case catch char class const continue default do double else enum extends \
        final finally float for goto if implements import instanceof int interface long native new package private \
        protected public return short static strictfp super switch synchronized this throw throws transient try void \
        volatile while true false null var record sealed permits yield
        """)
    syntax.hasSlashComments = true
    syntax.hasBlockComments = true
    syntax.hasTripleQuotes = true
    syntax.skipsSemicolons = true
    syntax.importWords = ["import", "package"]
    return syntax
  }

  private static var kotlin: Syntax {
    var syntax = Syntax(
      .kotlin, operators: ":: -> ++ -- <= >= == != === !== && || += -= *= /= %= .. ..< ?: ?. !!",
      keywords: """
        abstract actual annotation as break by catch class companion const constructor continue crossinline data do \
        else enum expect external false final finally for fun get if import in infix init inline inner interface \
        internal is lateinit noinline null object open operator out override package private protected public reified \
        return sealed set super suspend tailrec this throw true try typealias val var vararg when where while
        """)
    syntax.hasSlashComments = true
    syntax.hasBlockComments = true
    syntax.nestsComments = true
    syntax.hasTripleQuotes = true
    syntax.skipsSemicolons = true
    syntax.importWords = ["import", "package"]
    return syntax
  }

  private static var javascript: Syntax {
    var syntax = Syntax(
      .javascript,
      operators: """
        => ... ++ -- << >> >>> <= >= == != === !== && || ?? ?. += -= *= /= %= &= |= ^= <<= >>= >>>= **= &&= ||= ??= **
        """,
      keywords: """
        abstract any as async await boolean break case catch class const constructor continue debugger declare default \
        delete do else enum export extends false finally for from function get if implements import in instanceof \
        interface is keyof let module namespace never new null number object of package private protected public \
        readonly return set static string super switch symbol this throw true try type typeof undefined unknown var \
        void while with yield
        """)
    syntax.hasSlashComments = true
    syntax.hasBlockComments = true
    syntax.hasBackquotes = true
    syntax.hasRegularExpressions = true
    syntax.importWords = ["import"]
    return syntax
  }

  private static var lua: Syntax {
    var syntax = Syntax(
      .lua, operators: "... .. == ~= <= >= // << >> :: -> += -= *= /= %= ^= ..=",
      keywords: """
        and break continue do else elseif end export false for function goto if in local nil not or repeat return self \
        then true type until while
        """)
    syntax.hasDashComments = true
    syntax.hasBackquotes = true
    return syntax
  }
}
