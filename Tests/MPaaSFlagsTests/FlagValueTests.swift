import Testing

@testable import MPaaSFlags

@Suite("Values that flags compare") struct FlagValueTests {
  @Test("are versions in the order of Semantic Versioning")
  func versions() {
    let ordered = [
      "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
      "1.0.0", "1.0.1", "1.10.0", "2.0.0",
    ]
    for (index, one) in ordered.enumerated() {
      for (other, text) in ordered.enumerated() {
        let order = one.withBytes { one in
          text.withBytes { text in
            SemanticVersion(one).flatMap { one in SemanticVersion(text).map { one.compared(to: $0) } }
          }
        }
        #expect(order?.signum() == (index - other).signum(), "\(one) and \(text)")
      }
    }
    for text in ["1.2", "01.2.3", "v1.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "1.2.3.4", "", "99999999999999999999.0.0"] {
      #expect(text.withBytes { SemanticVersion($0) == nil }, "\(text)")
    }
    #expect("1.2.3+01".withBytes { SemanticVersion($0) != nil })
  }

  @Test("are moments of RFC 3339, wherever their clocks stand")
  func moments() {
    func moment(_ text: String) -> Moment? { text.withBytes { Moment($0) } }
    #expect(moment("2022-01-22T13:00:00.000Z") == moment("2022-01-22T14:00:00+01:00"))
    #expect(moment("1969-12-31T23:59:59Z").map { $0 < (moment("1970-01-01T00:00:00Z") ?? $0) } == true)
    #expect(moment("2024-02-29T00:00:00Z") != nil && moment("2023-02-29T00:00:00Z") == nil)
    for text in ["2026-11-23", "not-a-date", "2022-01-22T25:00:00Z", "2022-01-22T13:00:00", "2022-13-22T13:00:00Z"] {
      #expect(moment(text) == nil, "\(text)")
    }
    #expect("2022-01-22T13:00:00.0001Z".withBytes { Moment($0, isStrict: true) } == nil)
  }

  @Test("are numbers as written, and no other texts")
  func numbers() {
    for (text, value) in [("5", 5), (".5", 0.5), ("5.", 5), ("+5", 5), ("-0", 0), ("1e3", 1000), ("4.9999", 4.9999)] {
      #expect(DecimalNumber.inContext(text) == value, "\(text)")
    }
    for text in ["", " 5", "0x10", "1_000", "five", "1e", "--1", "."] {
      #expect(DecimalNumber.inContext(text) == nil, "\(text)")
    }
    #expect(DecimalNumber.inContext("inf") == .infinity && DecimalNumber.inContext("NaN")?.isNaN == true)
    #expect(DecimalNumber.inConstraint(" 5") == 5 && DecimalNumber.inConstraint("inf") == nil)
  }

  @Test("are addresses and networks of both versions")
  func networks() {
    func isIn(_ address: String, _ range: String) -> Bool? {
      NetworkRange(range).flatMap { range in
        address.withBytes { NetworkRange(address: $0) }.map { range.contains($0) }
      }
    }
    #expect(isIn("160.33.0.33", "160.33.0.0/16") == true && isIn("160.34.0.1", "160.33.0.0/16") == false)
    #expect(isIn("10.1.2.3", "10.0.0.0/255.0.0.0") == true && isIn("127.0.0.1", "0.0.0.0/0") == true)
    #expect(isIn("2001:db8:0:1::42", "2001:db8::/32") == true && isIn("::1", "::1/128") == true)
    #expect(isIn("::ffff:10.0.0.7", "10.0.0.0/8") == false && isIn("::ffff:10.0.0.7", "::ffff:a00:0/104") == true)
    for text in [
      "10.0.0.0/33", "10.0.0", "10.0.0.01", "1:2:3:4:5:6:7", "1::2::3", ":1", "1:", "12345::", "::1/129", "",
    ] {
      #expect(NetworkRange(text) == nil, "\(text)")
    }
    #expect(NetworkRange("1:2:3:4:5:6:7:8") != nil && NetworkRange("1::") != nil && NetworkRange("::") != nil)
  }

  @Test("are texts in lower case, with the final form of sigma")
  func lowercase() {
    func lower(_ text: String) -> String { text.withLowercaseBytes { String(decoding: $0, as: UTF8.self) } }
    #expect(lower("ΟΔΟΣ ΣΑΣ Σ") == "οδος σας σ")
    #expect(lower("İSTANBUL ÜML Straße") == "i\u{307}stanbul üml straße")
    #expect(lower("ABC-xyz'Σ'") == "abc-xyz'ς'")
  }
}
