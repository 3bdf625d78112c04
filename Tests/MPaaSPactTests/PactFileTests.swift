import Foundation
import MPaaSJSON
import MPaaSPact
import MPaaSRandom
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Contracts in files")
struct PactFileTests {
  static func contract(_ version: String, _ interactions: String, more: String = "") -> [UInt8] {
    Array(
      """
      {"consumer": {"name": "shop"}, "provider": {"name": "stock"}, \(interactions),
       "metadata": {"pactSpecification": {"version": "\(version)"}\(more)}}
      """.utf8)
  }

  static let v4 = contract(
    "4.0",
    """
    "interactions": [
      {"type": "Synchronous/HTTP", "key": "k", "description": "an item", "pending": true,
       "comments": {"text": ["new"], "testname": "ItemTests"},
       "providerStates": [{"name": "item 7 exists", "params": {"id": 7, "price": 9.450}}],
       "request": {"method": "GET", "path": "/items/7", "query": {"q": ["a", "b"]}, "headers": {"Accept": ["*/*"]},
         "generators": {"path": {"type": "ProviderState", "expression": "/items/${id}"}}},
       "response": {"status": 200, "headers": {"Content-Type": ["application/json"]},
         "body": {"contentType": "application/json", "encoded": false, "content": {"price": 9.450, "tags": ["x"]}},
         "matchingRules": {"status": {"combine": "AND", "matchers": [{"match": "statusCode", "status": "success"}]},
           "body": {"$.price": {"combine": "OR", "matchers": [{"match": "decimal"}, {"match": "null"}]},
             "$.tags": {"combine": "AND", "matchers": [{"match": "type", "min": 1}]}}}}},
      {"type": "Asynchronous/Messages", "description": "sold",
       "contents": {"contentType": "image/jpeg", "encoded": "base64", "content": "/9j/AA=="}, "metadata": {"topic": "t"}},
      {"type": "Synchronous/Messages", "description": "asks",
       "request": {"contents": {"contentType": "text/plain", "content": "?"}},
       "response": [{"contents": {"contentType": "text/plain", "content": "!"}}]}]
    """)

  @Test("are the same when they are written and read again, in each version that has room for them")
  func roundTrips() throws {
    let pact = try Pact(reading: Self.v4, file: "a.json")
    #expect(pact.interactions.count == 3)
    let again = try Pact(reading: Array(try pact.text().utf8), file: "b.json")
    let (first, second) = (try pact.text(), try again.text())
    #expect(second == first)
    for version in [PactSpecification.v1, .v1_1, .v2, .v3] {
      var old = pact
      old.specification = version
      old.interactions = [PactInteraction("plain", states: [PactState("s")], .http(PactRequest(), PactResponse()))]
      let read = try Pact(reading: Array(try old.text().utf8), file: "c.json")
      #expect(read.specification == version && read.interactions.map(\.description) == ["plain"])
      #expect(read.interactions.first?.states == [PactState("s")])
    }
  }

  @Test("keep the digits of numbers in bodies and in states")
  func digits() throws {
    let text = try Pact(reading: Self.v4, file: "a.json").text()
    #expect(text.components("9.450") == 3)
  }

  @Test("say where something is missing, and refuse plug-ins")
  func faults() {
    func code(_ bytes: [UInt8]) -> (PactError.Code, Place?)? {
      do throws(PactError) {
        _ = try Pact(reading: bytes, file: "a.json")
        return nil
      } catch { return (error.code, error.place) }
    }
    #expect(code(Array("{".utf8))?.0 == .syntax)
    #expect(code(Array("[]".utf8))?.0 == .member)
    let nameless = Self.contract("3.0.0", "\"interactions\": [{\"request\": {}}]")
    #expect(code(nameless)?.0 == .member && code(nameless)?.1 == .text(file: "a.json", line: 1, column: 80))
    #expect(code(Self.contract("9.0", "\"interactions\": []"))?.0 == .version)
    let plugin = ", \"plugins\": [{\"name\": \"protobuf\", \"version\": \"0.1\"}]"
    #expect(code(Self.contract("4.0", "\"interactions\": []", more: plugin))?.0 == .plugin)
    #expect(
      code(Self.contract("4.0", "\"interactions\": [{\"description\": \"d\", \"type\": \"Own/Kind\"}]"))?.0 == .plugin)
    func rule(_ text: String) -> [UInt8] {
      Self.contract("3.0.0", "\"interactions\": [{\"description\": \"d\", \"response\": {\"matchingRules\": \(text)}}]")
    }
    #expect(code(rule("{\"body\": {\"$.a\": {\"matchers\": [{\"match\": \"magic\"}]}}}"))?.0 == .rule)
    #expect(code(rule("{\"body\": {\"$..a\": {\"matchers\": [{\"match\": \"type\"}]}}}"))?.0 == .path)
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    #expect(code(Self.contract("2.0.0", "\"interactions\": \(deep)"))?.0 == .syntax)
  }

  @Test("are refused where a version has no room for an interaction")
  func unwritable() throws {
    var pact = try Pact(reading: Self.v4, file: "a.json")
    pact.specification = .v3
    #expect { try pact.text() } throws: { ($0 as? PactError)?.code == .unwritable }
  }

  @Test("merge where they agree, and do not where an interaction differs")
  func merging() throws {
    let pact = try Pact(reading: Self.v4, file: "a.json")
    #expect(try pact.merged(with: pact) == pact)
    var other = pact
    other.interactions = [PactInteraction("another", .http(PactRequest(), PactResponse()))]
    #expect(try pact.merged(with: other).interactions.count == 4)
    other.interactions = [pact.interactions[0]]
    other.interactions[0].content = .http(PactRequest(), PactResponse(status: 500))
    #expect { try pact.merged(with: other) } throws: { ($0 as? PactError)?.code == .conflict }
    #expect(pact.fileName == "shop-stock.json")
  }

  @Test("come together in the file of their parties, which stays as it is where they differ")
  func folders() throws {
    let folder = try TemporaryFolder()
    let pact = try Pact(reading: Self.v4, file: "a.json")
    let path = try PactFolder(folder.path).add(pact)
    #expect(path == folder.path + "/shop-stock.json")
    var other = pact
    other.interactions = [PactInteraction("another", .http(PactRequest(), PactResponse()))]
    _ = try PactFolder(folder.path).add(other)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try Pact(reading: Array(text.utf8), file: path).interactions.count == 4)
    other.interactions[0].content = .http(PactRequest(), PactResponse(status: 500))
    #expect(throws: PactError.self) { try PactFolder(folder.path).add(other) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test("never trap, whatever bytes are changed in them")
  func mutations() throws {
    var random = SplitMix64(seed: 26)
    let values = Array("{}[]\",:0-9.eE$*'\\ @truefalsn".utf8)
    for _ in 0..<3000 {
      var bytes = Self.v4
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = values.randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      guard let pact = try? Pact(reading: bytes, file: "a.json") else { continue }
      _ = try? pact.text()
      var mock = PactMock([pact], url: "http://localhost:1", seed: 1)
      for interaction in pact.interactions {
        guard case .http(var request, _) = interaction.content else { continue }
        _ = try? mock.answer(to: request, now: 0)
        request.query.append(PactField("more", ["1"]))
        _ = try? mock.answer(to: request, now: 0)
      }
    }
  }
}

extension String {
  /// The number of parts that a text splits this one into.
  fileprivate func components(_ part: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
