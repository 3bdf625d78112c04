import MPaaSConfig
import MPaaSSupport

extension TextTable {
  /// Adds the texts of a language's table.
  package mutating func add(_ file: StringsFile, language: String) {
    var first: [String: StringsFile.Entry] = [:]
    let isMain = language == development
    for entry in file.entries {
      if let earlier = first[entry.key] {
        findings.append(
          LanguageFinding(
            .duplicate, entry.key, language: language, at: entry.place,
            details: ["first": earlier.place.description, "same": earlier.value == entry.value ? "yes" : "no"]))
      }
      first[entry.key] = entry
      update(entry.key) { key in
        if key.comment == nil || isMain, let comment = entry.comment, comment != StringsFile.noComment {
          key.comment = comment
        }
        if key.place == nil || isMain { key.place = entry.place }
        key.isStale = key.isStale || entry.isStale
        let state: LocalizedText.State = entry.isNew ? .new : .translated
        key.texts[language] = LocalizedText(entry.value, state, place: entry.place)
      }
    }
  }

  /// Adds the texts of a `.stringsdict`, which take the place of plain ones.
  package mutating func add(_ file: StringsDictionary, language: String) {
    findings += file.findings.map { finding in
      LanguageFinding(finding.kind, finding.key, language: language, at: finding.place, details: finding.details)
    }
    for entry in file.entries {
      update(entry.key) { key in
        if key.place == nil { key.place = entry.text.place }
        key.texts[language] = entry.text
      }
    }
  }
}

/// The forms of numbers of a language (`.stringsdict`).
package struct StringsDictionary: Sendable {
  package let file: String
  package let entries: [(key: String, text: LocalizedText)]
  package let findings: [LanguageFinding]

  static let formatKey = "NSStringLocalizedFormatKey"
  static let widthRule = "NSStringVariableWidthRuleType"
  static let deviceRule = "NSStringDeviceSpecificRuleType"
  static let categories = ["zero", "one", "two", "few", "many", "other"]

  package init(_ bytes: [UInt8], file: String) throws(LanguageError) {
    do throws(ConfigError) {
      let document = try PropertyListDocument(bytes, file: file)
      var findings: [LanguageFinding] = []
      entries = (document.root.members ?? []).compactMap { member in
        Self.entry(member, document, &findings).map { (member.key, $0) }
      }
      self.findings = findings
      self.file = file
    } catch {
      throw LanguageError(error)
    }
  }

  private static func entry(
    _ member: PropertyListMember, _ document: PropertyListDocument, _ findings: inout [LanguageFinding]
  ) -> LocalizedText? {
    let place = document.place(of: member)
    if let plain = member.value.string { return LocalizedText(plain, .translated, place: place) }
    var variants: [LocalizedText.Variant] = []
    var substitutions: [LocalizedText.Substitution] = []
    for (rule, step) in [(widthRule, TextStep.width), (deviceRule, TextStep.device)] {
      for variant in member.value[rule]?.members ?? [] {
        if let value = variant.value.string { variants.append(.init([step(variant.key)], value)) }
      }
    }
    if let format = member.value[formatKey]?.string {
      variants.append(.init([], format))
      for variable in member.value.members ?? [] where variable.key != formatKey {
        guard variable.value["NSStringFormatSpecTypeKey"]?.string == "NSStringPluralRuleType" else { continue }
        let type = variable.value["NSStringFormatValueTypeKey"]?.string ?? "lld"
        substitutions.append(.init(name: variable.key, argument: nil, specifier: type))
        for category in variable.value.members ?? [] where categories.contains(category.key) {
          guard let value = category.value.string else { continue }
          variants.append(.init([.substitution(variable.key), .plural(category.key)], value))
        }
        if variable.value["other"] == nil {
          findings.append(
            LanguageFinding(.pluralMissing, member.key, at: place, details: ["form": "\(variable.key).other"]))
        }
      }
      let named = Set(variants.flatMap { FormatSpecifiers($0.value).substitutions })
      for name in named.sorted() where !substitutions.contains(where: { $0.name == name }) {
        findings.append(LanguageFinding(.variableMissing, member.key, at: place, details: ["variable": name]))
      }
    }
    guard !variants.isEmpty else { return nil }
    var text = LocalizedText(variants, .translated, place: place)
    text.substitutions = substitutions
    return text
  }

  /// The file that has these texts, as Xcode lays it out.
  package static func bytes(
    _ entries: [(key: String, text: LocalizedText)], file: String
  ) throws(LanguageError) -> [UInt8] {
    var members: [(String, PropertyListValue)] = []
    for (key, text) in entries { members.append((key, try value(key, text))) }
    let shell = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict/>
      </plist>

      """
    do throws(ConfigError) {
      return try PropertyListDocument(Array(shell.utf8), file: file).setting(.dictionary(members), at: []).bytes
    } catch {
      throw LanguageError(error)
    }
  }

  private static func value(_ key: String, _ text: LocalizedText) throws(LanguageError) -> PropertyListValue {
    var members: [(String, PropertyListValue)] = []
    var rules: [String: [(String, PropertyListValue)]] = [:]
    var plain: [(String, PropertyListValue)] = []
    for variant in text.variants {
      let value = PropertyListValue.string(variant.value)
      switch variant.path.first {
      case nil: members.append((formatKey, value))
      case .width(let name) where variant.path.count == 1: rules[widthRule, default: []].append((name, value))
      case .device(let name) where variant.path.count == 1: rules[deviceRule, default: []].append((name, value))
      case .plural(let name) where variant.path.count == 1: plain.append((name, value))
      case .substitution: continue
      default: throw LanguageError(.notExpressible, ["key": key, "format": "stringsdict"])
      }
    }
    if !plain.isEmpty {
      let type = FormatSpecifiers(text.value).arguments[1]?.specifier ?? "lld"
      members = [(formatKey, .string("%#@value@")), ("value", variable(type, plain))]
    }
    for substitution in text.substitutions {
      let forms = text.variants.compactMap { variant -> (String, PropertyListValue)? in
        guard variant.path.count == 2, variant.path[0] == .substitution(substitution.name),
          case .plural(let name) = variant.path[1]
        else { return nil }
        return (name, .string(variant.value.replacing("%arg", with: "%" + substitution.specifier)))
      }
      members.append((substitution.name, variable(substitution.specifier, forms)))
    }
    for (rule, variants) in rules.sorted(by: { $0.key < $1.key }) { members.append((rule, .dictionary(variants))) }
    return .dictionary(members)
  }

  private static func variable(_ type: String, _ forms: [(String, PropertyListValue)]) -> PropertyListValue {
    .dictionary(
      [
        ("NSStringFormatSpecTypeKey", .string("NSStringPluralRuleType")),
        ("NSStringFormatValueTypeKey", .string(type)),
      ] + forms)
  }
}
