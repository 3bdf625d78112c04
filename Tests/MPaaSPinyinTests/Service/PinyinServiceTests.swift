import Foundation
import MPaaSSupport
import Testing

@testable import MPaaSPinyin

@Suite("The service of pinyin") struct PinyinServiceTests {
  private static func arguments(_ values: KeyValuePairs<String, String>) -> [(name: String, value: [UInt8])] {
    values.map { ($0.key, Array($0.value.utf8)) }
  }

  private static func service(_ texts: [String]) throws -> PinyinService {
    PinyinService(
      try ServedRecords(path: "names", stamp: { nil }) { SearchedRecords(RecordIndex(PinyinIndex(texts))) })
  }

  @Test("a search is answered with the generation and as many hits as are wanted")
  func search() throws {
    let service = try Self.service(["张三", "张五", "李四"])
    let answer = try service.search(Self.arguments(["q": "zhang", "limit": "1"]), path: "/search")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
    #expect(answer.starts(with: "{\"generation\":1,".utf8))
    #expect(answer.last == UInt8(ascii: "}"))
    #expect(object["query"] as? String == "zhang")
    #expect(object["total"] as? Int == 2)
    #expect((object["hits"] as? [Any])?.count == 1)
  }

  @Test("a text is converted, a line of JSON for each of its lines, from the argument or from the body")
  func convert() throws {
    let service = PinyinService(nil)
    let options = Self.arguments(["style": "digits"])
    let posted = try service.convert(options, .body(Array("重庆\n我".utf8)), path: "/convert")
    let lines = try posted.split(separator: UInt8(ascii: "\n")).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
    #expect(lines.map { $0["text"] as? String } == ["重庆", "我"])
    let argument = try service.convert(
      Self.arguments(["style": "digits", "text": "重庆\n我"]), .argument, path: "/convert")
    #expect(argument == posted)
  }

  @Test("a request that makes no sense is refused with a code of its own")
  func refusals() throws {
    let service = try Self.service(["张三"])
    func code(_ arguments: KeyValuePairs<String, String>) -> PinyinError.Code? {
      do {
        _ = try service.search(Self.arguments(arguments), path: "/search")
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(["q": "a"]) == nil)
    #expect(code([:]) == .requestMissing)
    #expect(code(["q": "a", "q": "b"]) == .requestTwice)
    #expect(code(["q": "a", "text": "b"]) == .requestArgument)
    #expect(code(["q": "a", "limit": "-1"]) == .requestValue)
    #expect(code(["q": "a", "fuzzy": "z-zh,x"]) == .requestValue)
    #expect(code(["q": "a", "typos": "2"]) == .requestValue)
    #expect(throws: PinyinError(.requestNotUTF8, ["name": "q", "offset": "1"])) {
      try service.search([("q", [0x61, 0xFF])], path: "/search")
    }
    #expect(throws: PinyinError(.requestNoData)) {
      try PinyinService(nil).search(Self.arguments(["x": "a"]), path: "/search")
    }
  }

  @Test("of a body that is too large the arguments are checked first")
  func largeBody() {
    let service = PinyinService(nil)
    #expect(throws: PinyinError(.requestBody, ["limit": "\(PinyinService.bodyLimit)"])) {
      try service.convert([], .body(nil), path: "/convert")
    }
    #expect(throws: PinyinError.self) {
      try service.convert(Self.arguments(["q": "a"]), .body(nil), path: "/convert")
    }
    #expect(throws: PinyinError(.requestMissing, ["name": "text"])) {
      try service.convert([], .argument, path: "/convert")
    }
  }
}
