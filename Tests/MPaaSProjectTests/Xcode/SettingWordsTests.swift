import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Words of build settings") struct SettingWordsTests {
  private static let words = [
    "-ObjC", "-lz", "-framework", "Pay", "\"a b\"", "'c d'", "e\\ f", "$(inherited)", "-D名=1",
  ]

  @Test(
    "are split at blanks that stand in no quotes and behind no backslash",
    arguments: [
      ("", []), ("   ", []), ("a", ["a"]), ("a\tb\nc", ["a", "b", "c"]), ("\"a b\" c", ["\"a b\"", "c"]),
      ("\"a 'b\" c'", ["\"a 'b\"", "c'"]), ("a\\ b c", ["a\\ b", "c"]), ("\"a\\\" b\" c", ["\"a\\\" b\"", "c"]),
      ("\"open b", ["\"open b"]), ("a\\", ["a\\"]), ("-DX=\"y z\"", ["-DX=\"y z\""]), ("价 格", ["价", "格"]),
    ])
  func split(text: String, words: [String]) { #expect(SettingWords.split(text) == words) }

  @Test("that are joined by blanks are split into the same")
  func joined() {
    var random = SeededRandom(seed: 52)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      let list = (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
      #expect(SettingWords.split(list.joined(separator: " ")) == list)
    }
  }

  /// Settings in all forms with some words in them.
  private func settings(_ seed: UInt64, _ count: Int) -> [(old: PBXValue?, value: String)] {
    var random = SeededRandom(seed: seed)
    let values = ["-ObjC", "-lz", "-framework Pay", "\"a b\"", "-D名=1", "Pay", "$(SRCROOT)/x"]
    return (0..<count).map { _ in
      let list = (0..<Int.random(in: 0...5, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
      let old: PBXValue? =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: nil
        case 1, 2: .string(list.joined(separator: " "))
        default: .strings(list)
        }
      return (old, values.randomElement(using: &random) ?? "")
    }
  }

  @Test("are added once: a second time changes nothing, and none of the others goes")
  func added() {
    for (old, value) in settings(53, SeededRandom.rounds(or: 400)) {
      let once = SettingWords.adding(value, to: old)
      #expect(SettingWords.adding(value, to: once) == once, "\(value) to \(old as Any)")
      let (before, after) = (SettingWords.words(old), SettingWords.words(once))
      #expect(after.starts(with: before) || old == nil, "\(value) to \(old as Any): \(after)")
      #expect(after.joined(separator: " ").contains(value))
    }
  }

  @Test("are removed wholly: a second time changes nothing, and nothing else goes")
  func removed() {
    for (old, value) in settings(54, SeededRandom.rounds(or: 400)) {
      guard let old else { continue }
      guard let once = SettingWords.removing(value, from: old) else {
        let parts = Set(SettingWords.split(value) + [value, "$(inherited)"])
        #expect(SettingWords.words(old).allSatisfy(parts.contains), "\(value) from \(old)")
        continue
      }
      #expect(SettingWords.removing(value, from: once) == once, "\(value) from \(old)")
      let parts = Set(SettingWords.split(value) + [value])
      let others = SettingWords.words(old).filter { !parts.contains($0) }
      #expect(SettingWords.words(once).filter { !parts.contains($0) } == others, "\(value) from \(old)")
    }
  }

  @Test("that are added and removed again leave what was there, where it said anything")
  func inverse() {
    for (old, value) in settings(55, SeededRandom.rounds(or: 400)) {
      let added = SettingWords.adding(value, to: old)
      guard added != old else { continue }
      let back = SettingWords.removing(value, from: added)
      let before = SettingWords.words(old).filter { $0 != "$(inherited)" }
      #expect(SettingWords.words(back).filter { $0 != "$(inherited)" } == before, "\(value) to \(old as Any)")
    }
  }

  @Test(
    "of modules are taken up by a mark, and nothing is left when it goes",
    arguments: [
      nil, "", "$(inherited)", "-ObjC", "-ObjC $(inherited)", "$(inherited) -ObjC", "\"a b\"", ["$(inherited)"],
      ["-ObjC", "a b"], [],
      " -ObjC  -lz ",
    ] as [PBXValue?])
  func marks(old: PBXValue?) {
    let marked = ModuleMark.added("MPAAS_OTHER_LDFLAGS", to: old)
    #expect(SettingWords.words(marked).count { $0 == "$(MPAAS_OTHER_LDFLAGS)" } == 1)
    #expect(ModuleMark.added("MPAAS_OTHER_LDFLAGS", to: marked) == marked)
    #expect(ModuleMark.removed("MPAAS_OTHER_LDFLAGS", from: marked) == old)
    #expect(ModuleMark.removed("MPAAS_OTHER", from: marked) == marked)
    #expect(ModuleMark.removed("MPAAS_OTHER_LDFLAGS", from: old) == old)
  }

  @Test("of modules go from between the words that a user put around them")
  func around() {
    let mark = "$(MPAAS_X)"
    #expect(ModuleMark.removed("MPAAS_X", from: .string("-a \(mark) -b")) == "-a -b")
    #expect(ModuleMark.removed("MPAAS_X", from: .strings(["-a", mark, "-b", mark])) == ["-a", "-b"])
    #expect(ModuleMark.removed("MPAAS_X", from: nil) == nil)
  }
}

@Suite("Entitlements by their words") struct EntitlementValueTests {
  @Test(
    "are truth values, texts or lists, as Apple has them",
    arguments: [
      ("aps-environment", ["development"], false, "string"), ("get-task-allow", ["true"], false, "boolean"),
      ("get-task-allow", ["NO"], false, "boolean"), ("x", ["True"], false, "string"), ("x", [""], false, "string"),
      ("keychain-access-groups", ["a"], false, "array"), ("keychain-access-groups", ["true"], false, "array"),
      ("x", ["a"], true, "array"), ("x", [], true, "array"),
      ("com.apple.developer.associated-domains", ["a", "b"], true, "array"),
    ])
  func kinds(key: String, values: [String], isList: Bool, kind: String) {
    let value = EntitlementValue.value(EditAssignment(key: key, values: values, isList: isList))
    switch kind {
    case "array": #expect(value.values?.count == values.count)
    case "boolean": #expect(value.boolean == ["true", "YES"].contains(values.first))
    default: #expect(value.string == values.first)
    }
  }
}
