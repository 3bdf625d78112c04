import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private func error(_ text: String) -> ReportError? {
  do {
    _ = try ReportFile.read(Bytes(text.utf8))
    return nil
  } catch {
    return error
  }
}

@Suite("A file that is no report") struct IPSErrorTests {
  @Test("is told with line, column and offset where its JSON breaks")
  func malformed() {
    let expected = ReportError(.malformed(.unexpectedByte), offset: 32, line: 3, column: 12)
    #expect(error("{\"bug_type\":\"309\"}\n{\n\"threads\": }") == expected)
  }

  @Test("is told to be cut off where it ends too early")
  func truncated() {
    #expect(error("{\"bug_type\":\"309\"}\n{\n\"threads\":[{")?.code == .malformed(.endOfInput))
    #expect(error("{\"bug_type\":\"309\"")?.diagnostic.id == "report-truncated")
  }

  @Test("names the member that has a value of the wrong kind")
  func wrongKind() {
    #expect(
      error("{}\n{\"threads\":[{\"frames\":[3]}]}")?.code
        == .wrongKind(path: "threads[0].frames[0]", expected: "object", found: "number"))
    #expect(
      error("{}\n{\"usedImages\":{}}")?.code == .wrongKind(path: "usedImages", expected: "array", found: "object"))
  }

  @Test("is told apart from reports by what stands in it")
  func noReport() {
    #expect(error("{\"a\":1}")?.code == .missing(path: "threads"))
    #expect(error("hello")?.code == .unknownFormat)
    #expect(error("")?.code == .empty)
    #expect(error("{\"bug_type\":\"109\"}\nhello")?.code == .noStacks)
  }

  @Test("may lack the header line, and most of the body")
  func tolerant() throws {
    let report = try ReportFile.read(Bytes(#"{"procName":"x","threads":[{}, {"frames":[{}]}]}"#.utf8))
    #expect(report.process.name == "x")
    #expect(report.threads.count == 2)
    #expect(report.threads[1].frames == [CrashReport.Frame(address: 0)])
  }

  @Test("named by a path that is not there is an error about the file")
  func noFile() {
    #expect(throws: FileError.self) { try ReportFile.read("no/such/report.ips") }
  }

  @Test("never crashes the reader, however it is cut or changed")
  func fuzz() throws {
    let rounds = SeededRandom.rounds(or: 400)
    var seeds: [[UInt8]] = (1...4 as ClosedRange<UInt64>).map { seed in
      var random = RandomReport(seed: seed)
      return IPSWriter.bytes(of: random.report())
    }
    if Fixture.root != nil { seeds.append(Array(try Fixture.data("crash/apple/sym_AppleJson.ips"))) }
    var generator = SeededRandom(seed: 309)
    var refused = 0
    for round in 0..<rounds {
      var bytes = seeds[round % seeds.count]
      if round % 3 == 0 {
        bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
      } else {
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          mutate(&bytes, &generator)
        }
      }
      do {
        let report = try ReportFile.read(Bytes(bytes))
        _ = IPSWriter.bytes(of: report)
      } catch {
        refused += 1
        if case .malformed = error.code {
          #expect(error.line != nil)
          #expect(error.offset != nil)
        }
      }
    }
    #expect(refused > rounds / 3)
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededRandom) {
    let place = Int.random(in: 0..<max(bytes.count, 1), using: &generator)
    let pieces = ["9", "-1", "null", "[", "}", "\"", "18446744073709551615", "1e400", "\\u", "{}", ",", "\u{0}"]
    switch Int.random(in: 0..<3, using: &generator) {
    case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: min(place, bytes.count))
    default: bytes.removeSubrange(min(place, bytes.count)..<min(place + 5, bytes.count))
    }
  }
}
