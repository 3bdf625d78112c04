import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("The place of a command's result") struct ResultPlaceTests {
  @Test("is standard output without a name and for -, and no bytes are made for it", arguments: [nil, "-"])
  func standardOutput(option: String?) throws {
    let place = ResultPlace(option)
    #expect(place.file == nil)
    let written = try place.write { () -> [UInt8] in
      Issue.record("bytes were made")
      return []
    }
    #expect(written == nil)
  }

  @Test("is the file that is named, whose path it says when it is written")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/result"
    #expect(try ResultPlace(path).write { "done".utf8 } == path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "done")
  }

  @Test("keeps the file that is there where its bytes cannot be made")
  func failing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/result"
    try Data("old".utf8).write(to: URL(filePath: path))
    #expect(throws: CancellationError.self) {
      try ResultPlace(path).write { () throws -> [UInt8] in throw CancellationError() }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test("refuses a file that is there, unless it may be replaced")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/result"
    try Data().write(to: URL(filePath: path))
    let refusal = Diagnostic("result-exists", ["file": path], exit: .cannotCreate)
    #expect(throws: refusal) { try ResultPlace(path).check(replaces: false, refusal: "result-exists") }
    #expect(throws: Never.self) { try ResultPlace(path).check(replaces: true, refusal: "result-exists") }
  }

  @Test("takes what is not there and what is no file", arguments: ["/new", "", "/dev/null"])
  func free(name: String) throws {
    let folder = try TemporaryFolder()
    let path = name == "/dev/null" ? name : folder.path + name
    #expect(throws: Never.self) { try ResultPlace(path).check(replaces: false, refusal: "result-exists") }
  }
}
