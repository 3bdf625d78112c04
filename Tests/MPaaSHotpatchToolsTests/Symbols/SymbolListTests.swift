import MPaaSHotpatch
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatchTools

@Suite("Symbol lists") struct SymbolListTests {
  static func read(_ text: String) throws -> SymbolList {
    try Array(text.utf8).withUnsafeBytes { try SymbolList(reading: $0, file: "symbols.json") }
  }

  @Test("are read as they are written, and written the same way each time")
  func roundTrip() throws {
    let bytes = Shop.symbols.encoded
    let read = try bytes.withUnsafeBytes { try SymbolList(reading: $0, file: "symbols.json") }
    #expect(read == Shop.symbols)
    #expect(read.encoded == bytes)
    let short = try Self.read(#"{"app":"a","version":"1","functions":{"f":{}}}"#)
    #expect(short.functions["f"] == .init([], .void))
  }

  static let malformed: [(String, String, String)] = [
    (#"{"version":"1"}"#, "symbol-list-malformed", "app"), ("[]", "symbol-list-malformed", "$"),
    (#"{"app":"a","version":"1","function":{}}"#, "symbol-list-malformed", "function"),
    (#"{"app":"a","version":"1","functions":{"a b":{}}}"#, "symbol-list-malformed", "functions.a b"),
    (
      #"{"app":"a","version":"1","functions":{"f":{"parameters":["int","Int"]}}}"#, "symbol-list-malformed",
      "functions.f.parameters[1]"
    ),
    (
      #"{"app":"a","version":"1","functions":{"f":{"parameters":["void"]}}}"#, "symbol-list-malformed",
      "functions.f.parameters[0]"
    ),
    (#"{"app":"a","version":"1","exports":{"f":{"result":1}}}"#, "symbol-list-malformed", "exports.f.result"),
    (#"{"app":"a","version":"1","exports":{"f":{"async":1}}}"#, "symbol-list-malformed", "exports.f.async"),
    (#"{"app":"a","version":"1","types":{"T":{"a.b":{}}}}"#, "symbol-list-malformed", "types.T.a.b"),
    (#"{"app":"a","app":"b","version":"1"}"#, "json-key-twice", ""), (#"{"app":"a",}"#, "json-not-strict", ""),
  ]

  @Test("say which member is wrong", arguments: malformed)
  func refused(text: String, id: String, member: String) {
    let error = #expect(throws: TrustError.self) { try Self.read(text) }
    #expect(error?.identifier == id)
    if !member.isEmpty { #expect(error?.diagnostic.values["member"] == member) }
    #expect(error?.diagnostic.exit.rawValue == 65)
  }

  @Test("know what was probably meant")
  func near() {
    #expect(Shop.symbols.closestFunction(to: "Cart.totel") == "Cart.total")
    #expect(Shop.symbols.closestFunction(to: "Something.else") == nil)
  }

  @Test("neither crash nor hang where bytes are changed")
  func fuzz() {
    var random = SeededRandom(seed: 3)
    let whole = Shop.symbols.encoded
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let list = try? bytes.withUnsafeBytes { try SymbolList(reading: $0, file: "symbols.json") }
      if let list { #expect(SymbolList.isName(list.functions.keys.first ?? "a")) }
    }
  }
}
