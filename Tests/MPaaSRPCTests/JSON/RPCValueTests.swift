import Foundation
import MPaaSRPC
import MPaaSTestSupport
import Testing

@Suite("JSON of calls") struct RPCValueTests {
  private struct Order: Codable, Equatable {
    var amount: RPCDecimal
    var price: Decimal
    var rate: Double
    var names: [String]
    var note: String?
    var nested: [String: [Int8]]
    var bytes: Data
    var link: URL?
  }

  @Test("9.45 stays 9.45 both ways", arguments: ["9.45", "0.1", "-3.10", "1e2", "12345678901234567890.123456789"])
  func decimals(text: String) throws {
    let answer = try RPCValue(Array(#"{"amount":\#(text)}"#.utf8))
    #expect(answer["amount"]?.number?.description == text)
    let decoded = try answer.decoded([String: RPCDecimal].self)
    #expect(try RPCValue(encoding: decoded).description == #"{"amount":\#(text)}"#)
  }

  @Test("decimal numbers of Foundation and of 64 bits keep their digits, too")
  func foundation() throws {
    let value = try RPCValue(encoding: [9.45])
    #expect(value.description == "[9.45]")
    let price = try #require(Decimal(string: "9.45"))
    #expect(try RPCValue(encoding: [price]).description == "[9.45]")
    #expect(try RPCValue(Array("[9.45]".utf8)).decoded([Decimal].self) == [price])
    #expect(try RPCValue(Array("[9.45]".utf8)).decoded([Double].self) == [9.45])
  }

  @Test("a value comes back as it was written")
  func roundTrip() throws {
    let order = Order(
      amount: try #require(RPCDecimal("9.45")), price: 12, rate: 0.1, names: ["a\"b", "重庆", ""], note: nil,
      nested: ["x": [-128, 127]], bytes: Data([0, 255]), link: URL(string: "https://example.com/a?b=c"))
    let value = try RPCValue(encoding: order)
    #expect(try RPCValue(value.bytes).decoded(Order.self) == order)
  }

  @Test("decoding names the path of what is wrong")
  func path() throws {
    let response = RPCResponse(status: 200, body: Array(#"{"items":[{"price":"x"}]}"#.utf8))
    struct Item: Decodable { let price: RPCDecimal }
    struct List: Decodable { let items: [Item] }
    #expect {
      _ = try response.value(List.self)
    } throws: { error in
      (error as? RPCError)?.values["reason"]?.hasPrefix("$.items[0].price") == true
    }
  }

  @Test("numbers that do not fit, infinity and NaN are refused")
  func refused() throws {
    #expect(throws: (any Error).self) { try RPCValue(Array("[300]".utf8)).decoded([UInt8].self) }
    #expect(throws: (any Error).self) { try RPCValue(Array("[1.5]".utf8)).decoded([Int].self) }
    #expect(throws: (any Error).self) { try RPCValue(encoding: [Double.infinity]) }
    #expect(throws: (any Error).self) { try RPCValue(encoding: [Double.nan]) }
    #expect(throws: RPCValueError.self) { try RPCValue(Array(repeating: UInt8(ascii: "["), count: 100_000)) }
  }

  @Test("bytes that were changed are read or refused, and never anything else")
  func fuzz() throws {
    let text = Array(#"{"a":[1,2.50,-3e4,true,null,"x\u00e9\n"],"b":{"c":"重庆","d":[]}}"#.utf8)
    var random = SeededRandom(seed: 26)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeLast(Int.random(in: 0...min(3, bytes.count - 1), using: &random))
        default:
          bytes.insert(UInt8.random(in: 0...255, using: &random), at: Int.random(in: bytes.indices, using: &random))
        }
      }
      guard let value = try? RPCValue(bytes) else { continue }
      #expect(try RPCValue(value.bytes) == value)
    }
  }

  private class Base: Codable { var base = 1 }
  private final class Derived: Base {
    var own = 2
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(own, forKey: .own)
      try super.encode(to: container.superEncoder())
    }
    enum Key: String, CodingKey { case own }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      own = try container.decode(Int.self, forKey: .own)
      try super.init(from: container.superDecoder())
    }
  }

  @Test("a superclass has a member of its own")
  func superclass() throws {
    let value = try RPCValue(encoding: Derived())
    #expect(value.description == #"{"own":2,"super":{"base":1}}"#)
    #expect(try value.decoded(Derived.self).base == 1)
  }
}
