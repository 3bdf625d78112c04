import MPaaSSupport
import Testing

@testable import MPaaSSymbols

/// An object whose frames are told beforehand.
private final class ToldLookup: FrameLookup {
  let hasDebugInfo = true
  private let told: [UInt64: [SourceFrame]]

  init(_ told: [UInt64: [SourceFrame]]) { self.told = told }

  func frames(at address: UInt64) -> [SourceFrame] { told[address] ?? [] }
}

@Suite("Answers to addresses") struct LookupAnswersTests {
  private static let inlined: [SourceFrame] = {
    var inner = SourceFrame(symbol: "_ZN1a1bEv", file: "a.cc", line: 7, column: 3, isInlined: true)
    inner.discriminator = 2
    return [inner, SourceFrame(symbol: "main", file: "src/\"m\".c", line: 9)]
  }()

  private static let object = OpenedObject(
    path: "/a", addressSize: 4, status: .complete, objects: nil,
    lookup: ToldLookup([
      0x1000: inlined, 0x2000: [SourceFrame(symbol: "start", offset: 16)], 0x3000: [SourceFrame(offset: 8)],
    ]))

  /// The lines of a source that gives one batch at each read.
  private static func source(_ batches: [[String]]) -> LookupAnswers.Lines {
    var rest = batches[...]
    var number = 0
    return { take in
      guard let batch = rest.popFirst() else { return false }
      for line in batch {
        number += 1
        try Array(line.utf8).withUnsafeBytes { try take(number, $0) }
      }
      return true
    }
  }

  private static func answers(_ addresses: [String], _ format: LookupFormat) throws(Diagnostic) -> String {
    var text = ""
    var answers = LookupAnswers(from: object, format, Demangler(mode: .full)) { text += String(utf8: $0) }
    try answers.answer(addresses)
    return text
  }

  @Test("have a line for each frame, those that were inlined above the one that has them")
  func pretty() throws {
    #expect(
      try Self.answers(["0x1000", "2000", "0x3000", "4"], .pretty) == """
        0x1000  a::b()  a.cc:7:3
            ↳ main  src/"m".c:9
        0x2000  start+0x10
        0x3000  ?? in the function at 0x2ff8+0x8
        0x4  ??

        """)
  }

  @Test("are those of addr2line where they are to be")
  func addr2line() throws {
    #expect(
      try Self.answers(["1000", "4"], .addr2line) == """
        0x00001000
        a::b()
        a.cc:7 (discriminator 2)
        main
        src/"m".c:9
        0x00000004
        ??
        ??:0

        """)
  }

  @Test("are an object a line as JSON, with the linker's name, and null for what is unknown")
  func json() throws {
    let text = try Self.answers(["1000", "3000"], .json)
    let lines = try text.split(separator: "\n").map {
      try Array($0.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
    }
    #expect(lines.map { $0.object?["address"]?.string } == ["0x1000", "0x3000"])
    let frames = try #require(lines[0].object?["frames"]?.array).compactMap(\.object)
    #expect(frames.map { $0["symbol"]?.string } == ["_ZN1a1bEv", "main"])
    #expect(frames.map { $0["function"]?.string } == ["a::b()", "main"])
    #expect(frames.map { $0["file"]?.string } == ["a.cc", "src/\"m\".c"])
    #expect(frames.map { $0["inlined"]?.bool } == [true, false])
    let unnamed = try #require(lines[1].object?["frames"]?.array?.first?.object)
    #expect(unnamed["start"]?.string == "0x2ff8")
    #expect(unnamed["function"]?.string == nil)
    #expect(unnamed["line"]?.integer(Int.self) == nil)
  }

  @Test("to addresses of a call are all there, or none is")
  func malformed() {
    var pieces = 0
    var answers = LookupAnswers(from: Self.object, .pretty, Demangler(mode: .none)) { _ in pieces += 1 }
    #expect(throws: Diagnostic("address-malformed", ["address": "0xzz"], exit: .usage)) {
      try answers.answer(["1000", "0xzz"])
    }
    #expect(pieces == 0)
  }

  @Test("to lines come with each read, for who waits for one before asking again")
  func lines() throws {
    var pieces: [String] = []
    var answers = LookupAnswers(from: Self.object, .pretty, Demangler(mode: .none)) { pieces.append(String(utf8: $0)) }
    try answers.answer(Self.source([["2000", "", " \t", "2000"], [], ["0x2000\r"]]), named: "input")
    #expect(pieces == ["0x2000  start+0x10\n0x2000  start+0x10\n", "0x2000  start+0x10\n"])
  }

  @Test("to lines before one that is no address are written, and the error names it and its number")
  func malformedLine() {
    var text = ""
    var answers = LookupAnswers(from: Self.object, .pretty, Demangler(mode: .none)) { text += String(utf8: $0) }
    let place = Place.text(file: "input", line: 3, column: nil)
    #expect(throws: Diagnostic("address-malformed", ["address": "main"], at: place, exit: .malformedInput)) {
      try answers.answer(Self.source([["2000"], ["2000", "main", "2000"]]), named: "input")
    }
    #expect(text == "0x2000  start+0x10\n0x2000  start+0x10\n")
  }

  @Test("to more than a buffer holds come in pieces before the read is through")
  func pieces() throws {
    var counts: [Int] = []
    var answers = LookupAnswers(from: Self.object, .pretty, Demangler(mode: .none)) { counts.append($0.count) }
    try answers.answer(Self.source([Array(repeating: "2000", count: 10_000)]), named: "input")
    #expect(counts.count > 1)
    #expect(counts.reduce(0, +) == 10_000 * "0x2000  start+0x10\n".utf8.count)
  }
}

@Suite("The object whose addresses are asked for") struct ObjectChoiceTests {
  private let objects = ObjectLookup(search: DebugFileSearch(paths: []))

  @Test(
    "is named by its file or by its build, not by both", arguments: [(nil, nil), ("/a", "00")] as [(String?, String?)])
  func choice(path: String?, build: String?) {
    #expect(throws: Diagnostic("lookup-object-or-uuid", exit: .usage)) {
      try objects.open(path, build: build, architecture: nil)
    }
  }

  @Test("is not there by a build ID of other signs")
  func malformed() {
    #expect(throws: Diagnostic("symbols-uuid-malformed", ["uuid": "xyz"], exit: .usage)) {
      try objects.open(nil, build: "xyz", architecture: nil)
    }
  }

  @Test("is warned of where its debug information was not found")
  func warnings() {
    let lookup = ToldLookup([:])
    func object(_ status: DebugFileFinding.Status) -> OpenedObject {
      OpenedObject(path: "/a", addressSize: 8, status: status, objects: nil, lookup: lookup)
    }
    #expect(object(.complete).warnings.isEmpty)
    #expect(object(.symbolsOnly).warnings.map(\.id.name) == ["symbols-no-debug-info"])
  }
}
