import MPaaSPattern
import MPaaSSupport
import MPaaSTOML

/// Rules in the format of gitleaks: a TOML file with `[[rules]]` and `[[allowlists]]`.
///
/// Read are `id`, `description`, `regex`, `secretGroup`, `keywords`, `path`, `entropy` and the allow lists with `regexes`,
/// `regexTarget`, `paths`, `stopwords`, `condition`, `targetRules`; `tags`, `commits` and `report` mean nothing here.
package struct SecretRuleFile {
  private let file: String
  private let document: TOMLDocument

  private static let mostRules = 5_000

  /// Reads a file of rules.
  ///
  /// - Throws: `SecretRuleError` with the rule that cannot be used, and its line.
  package static func rules(of text: String, file: String) throws(SecretRuleError) -> SecretRules {
    let document: TOMLDocument
    do throws(TOMLError) {
      document = try TOMLDocument(text, file: file)
    } catch {
      throw SecretRuleError(
        .malformed, ["file": file, "reason": error.reason],
        at: .text(file: file, line: error.line, column: error.column))
    }
    return try SecretRuleFile(file: file, document: document).rules()
  }

  private func rules() throws(SecretRuleError) -> SecretRules {
    let tables = document.values["rules"]?.array ?? []
    guard tables.count <= Self.mostRules else { throw unusable("rules", line: nil) }
    var rules: [SecretRule] = []
    for (index, table) in tables.enumerated() {
      let line = document.line(ofElement: index, in: ["rules"])
      guard let table = table.object else { throw unusable("rules", line: line) }
      rules.append(try rule(table, line: line))
    }
    return SecretRules(rules, allowlists: try allowlists(document.values, line: nil))
  }

  private func rule(_ table: JSONValue.Object, line: Int?) throws(SecretRuleError) -> SecretRule {
    guard let id = table["id"]?.string, !id.isEmpty else { throw unusable("id", line: line) }
    let (text, path) = (table["regex"]?.string, table["path"]?.string)
    guard text != nil || path != nil else { throw unusable("regex", line: line) }
    let compiledPath: Pattern? = try path.map { (path) throws(SecretRuleError) in try pattern(path, id, line) }
    let lists = try allowlists(table, line: line)
    guard let group = table["secretGroup"].map({ $0.integer(Int.self) }) ?? 0 else {
      throw unusable("secretGroup", line: line)
    }
    do throws(PatternError) {
      return try SecretRule(
        id: id, description: table["description"]?.string ?? id, expression: text,
        keywords: strings(table["keywords"]), path: compiledPath, entropy: table["entropy"]?.double,
        group: group, allowlists: lists)
    } catch {
      throw refused(text ?? "", id, error, line)
    }
  }

  /// The allow lists of a table: `[[…allowlists]]`, or `[…allowlist]` of older files.
  private func allowlists(_ table: JSONValue.Object, line: Int?) throws(SecretRuleError) -> [SecretAllowlist] {
    let tables = (table["allowlists"]?.array ?? []) + (table["allowlist"].map { [$0] } ?? [])
    var lists: [SecretAllowlist] = []
    for case .object(let table) in tables {
      var list = SecretAllowlist()
      for text in strings(table["regexes"]) { list.expressions.append(try pattern(text, "allowlists", line)) }
      for text in strings(table["paths"]) { list.paths.append(try pattern(text, "allowlists", line)) }
      list.stopwords = strings(table["stopwords"]).map { $0.lowercased() }
      list.target = table["regexTarget"]?.string.flatMap { SecretAllowlist.Target(rawValue: $0) } ?? .secret
      list.needsAll = ["AND", "&&"].contains(table["condition"]?.string?.uppercased())
      list.rules = Set(strings(table["targetRules"]))
      lists.append(list)
    }
    return lists
  }

  private func strings(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

  private func pattern(_ text: String, _ id: String, _ line: Int?) throws(SecretRuleError) -> Pattern {
    do throws(PatternError) { return try Pattern(text) } catch { throw refused(text, id, error, line) }
  }

  private func refused(_ text: String, _ id: String, _ error: PatternError, _ line: Int?) -> SecretRuleError {
    SecretRuleError(
      .expression,
      ["file": file, "rule": id, "pattern": text, "reason": error.code.rawValue, "offset": "\(error.offset)"],
      at: place(line))
  }

  private func unusable(_ key: String, line: Int?) -> SecretRuleError {
    SecretRuleError(.malformed, ["file": file, "reason": key], at: place(line))
  }

  private func place(_ line: Int?) -> Place {
    line.map { .text(file: file, line: $0, column: nil) } ?? .file(file)
  }
}
