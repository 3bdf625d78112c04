import MPaaSNetwork
import MPaaSTestSupport
import Testing

/// A question as a client sends it.
func question(_ name: String, type: UInt8 = 1, id: UInt16 = 0x1234, flags: UInt8 = 1) -> [UInt8] {
  var bytes: [UInt8] = [UInt8(id >> 8), UInt8(id & 255), flags, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  for label in name.split(separator: ".") { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
  return bytes + [0, 0, type, 0, 1]
}

@Suite("Messages of the name service") struct DNSMessageTests {
  @Test("a question is read: name in small letters, type, class")
  func reading() throws {
    let message = try DNSMessage(question("WWW.Example.com", type: 28))
    #expect(message.name == "www.example.com")
    #expect(message.type == 28)
    #expect(message.classCode == 1)
    #expect(message.id == 0x1234)
    #expect(!message.isResponse)
    #expect(message.typeName == "AAAA")
    #expect(try DNSMessage(question("")).name == "")
    #expect(try DNSMessage(question("a b.ü")).name == "a\\032b.\\195\\188")
  }

  @Test("an answer has the question, the number and the code, and no records")
  func answers() throws {
    let asked = question("a.test") + [1, 2, 3]
    let answer = try #require(DNSMessage.answer(.nameError, to: asked))
    let read = try DNSMessage(answer)
    #expect(read.isResponse)
    #expect(read.response == 3)
    #expect(read.id == 0x1234)
    #expect(read.name == "a.test")
    try #require(answer.count == question("a.test").count)
    #expect(answer[2] == 0x81)
    #expect(answer[3] == 0x83)
    #expect(try DNSMessage(asked).isAnswered(by: read))
    #expect(DNSMessage.answer(.refused, to: answer) == nil)
  }

  @Test("what is malformed is told from what deserves an answer")
  func malformed() {
    func response(_ bytes: [UInt8]) -> DNSMessage.Response? {
      do throws(DNSMessage.Malformed) { _ = try DNSMessage(bytes) } catch { return error.response }
      Issue.record("it was read")
      return nil
    }
    let good = question("a.test")
    #expect(response([]) == nil)
    #expect(response(Array(good[..<11])) == nil)
    #expect(response(Array(good.dropLast())) == .formatError)
    #expect(response(good[..<5] + [2] + good[6...]) == .formatError)
    #expect(response(good[..<2] + [0x28] + good[3...]) == .notImplemented)
    #expect(response(good[..<12] + [0xc0, 0x0c] + good[12...]) == .formatError)
    #expect(response(good[..<12] + [UInt8](repeating: 1, count: 300)) == .formatError)
  }

  @Test("any bytes are read or refused, never worse")
  func noise() {
    var random = SeededRandom(seed: 53)
    let good = question("www.example.com", type: 65)
    for _ in 0..<SeededRandom.rounds(or: 20_000) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where !bytes.isEmpty:
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeLast(min(bytes.count, Int.random(in: 0...8, using: &random)))
        default: bytes += [UInt8.random(in: 0...255, using: &random)]
        }
      }
      if let message = try? DNSMessage(bytes) { #expect(message.questionEnd <= bytes.count) }
      if let answer = DNSMessage.answer(.serverFailure, to: bytes) {
        #expect((try? DNSMessage(answer))?.response ?? 2 == 2)
      }
    }
  }

  @Test("the system's servers are those of its file")
  func resolvers() {
    let text =
      "# x\nsearch a.b\nnameserver 10.0.0.1\n nameserver\t::1 # local\nnameserver fe80::1%eth0\nnameserver 1.1.1.1\n"
    #expect(ResolverList.read(text) == ["10.0.0.1", "::1", "fe80::1"])
    #expect(ResolverList.read("nameserver").isEmpty)
    #expect(ResolverList.read("").isEmpty)
  }
}
