import MPaaSHotpatch

@testable import MPaaSHotpatchTools

/// The symbols of an app that sells things.
enum Shop {
  static let symbols = SymbolList(
    app: "com.example.shop", version: "8.1.0",
    functions: [
      "Cart.total": .init([.array(.double), .double], .double),
      "Cart.clear": .init([], .void),
      "Cart.title": .init([.integer, .optional(.string)], .string),
      "Feed.find": .init([.string], .optional(.object("CartItem"))),
      "Cart.first": .init([.object("CartItem")], .object("CartItem"), isAsync: true),
    ],
    exports: [
      "Analytics.track": .init([.string, .optional(.dictionary(.any))], .void),
      "Shop.currency": .init([], .string),
    ],
    types: ["CartItem": ["price": .init([], .double), "rename": .init([.string], .boolean)]])

  static func lint(_ program: String, symbols: SymbolList? = symbols, modules: Set<String>? = []) -> [LintFinding] {
    PatchLinter(symbols: symbols, modules: modules).check([LuaSource(Array(program.utf8), name: "main.lua")])
  }

  /// The findings, as `rule/variant@line:column`.
  static func found(_ program: String, symbols: SymbolList? = symbols) -> [String] {
    lint(program, symbols: symbols).map { finding in
      finding.rule.rawValue.dropFirst(4) + (finding.variant.map { "/\($0)" } ?? "")
        + "@\(finding.start.line):\(finding.start.column)"
    }
  }

  static func mended(_ program: String) -> String {
    let linter = PatchLinter(symbols: symbols)
    let result = LintFixer(linter).mend([LuaSource(Array(program.utf8), name: "main.lua")])
    return String(decoding: result.first?.file.bytes ?? [], as: UTF8.self)
  }
}
