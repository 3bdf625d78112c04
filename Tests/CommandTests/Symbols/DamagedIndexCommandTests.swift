import Foundation
import MPaaSTestSupport
import Testing

/// A crashed program, its report, and an index of its symbols that the tests damage.
private struct DamagedIndex {
  let home: TemporaryFolder
  let program: String
  let report: String
  /// The index, and how it was made.
  var index = ""
  var intact: [UInt8] = []

  static let source = """
    __attribute__((noinline)) int inner(volatile int *numbers) { return numbers[7] + 1; }
    __attribute__((noinline)) int middle(volatile int *numbers) { return inner(numbers) + 2; }
    int main(int count, char **words) { return middle((int *)0) + 3; }
    """

  init() throws {
    home = try TemporaryFolder()
    program = home.path + "/victim"
    let source = home.url.appending(path: "victim.c")
    try Data(Self.source.utf8).write(to: source)
    let gcc = try Command.run("gcc", ["-O0", "-g", "-Wl,--build-id=sha1", source.path, "-o", program])
    try #require(gcc.status == 0, "\(gcc.errors)")
    let id = try #require(
      try Command.run("readelf", ["-n", program]).output.firstMatch(of: /Build ID: ([0-9a-f]+)/)
        .map { String($0.output.1) })
    let symbols = try Command.run("nm", [program]).output
    let frames = try ["inner", "middle", "main"].map { name in
      let line = try #require(symbols.split(separator: "\n").first { $0.hasSuffix(" T \(name)") })
      let start = try #require(UInt64(line.prefix { $0 != " " }, radix: 16))
      return "{\"imageIndex\":0,\"imageOffset\":\(start + 9)}"
    }
    report = home.path + "/victim.ips"
    try Data(
      """
      {"bug_type":"309","app_name":"victim"}
      {"incident":"ABCD1234-0000","procName":"victim","procPath":"\(program)","pid":77,"cpuType":"X86-64",
      "captureTime":"2026-03-16 11:45:14.2121 +0000","faultingThread":0,
      "exception":{"type":"EXC_BAD_ACCESS","signal":"SIGSEGV"},
      "threads":[{"id":77,"triggered":true,"frames":[\(frames.joined(separator: ","))]}],
      "usedImages":[{"base":4096,"size":65536,"uuid":"","path":"\(program)","arch":"x86_64","source":"P",
      "mpaas":{"buildID":"\(id)"}}]}
      """.utf8
    ).write(to: URL(filePath: report))
  }

  func run(_ arguments: [String]) throws -> Command.Outcome {
    try Command.run(
      "mpaas", arguments, input: "1139\n114c\n1170\n1180\n",
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "", "CLICOLOR_FORCE": ""])
  }

  /// Keeps the index that is in the cache or in the store.
  mutating func keepIndex(of folder: String) throws {
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    index = folder + "/" + (try #require(files.first { $0.hasSuffix("index") }))
    intact = Array(try Data(contentsOf: URL(filePath: index)))
  }

  /// Writes the index with one damage: a byte in the header, in the tables, in a checksum, anywhere; or cut, or emptied.
  func damage(_ number: Int, _ random: inout SeededRandom) throws {
    var bytes = intact
    switch number {
    case 0: bytes[20] ^= 0x40
    case 1: bytes[60] ^= 0x01
    case 2: bytes[210] ^= 0x10
    case 3: bytes.removeLast(bytes.count / 3)
    case 4: bytes = Array("not an index".utf8)
    case 5: for place in 300..<bytes.count { bytes[place] ^= 0x55 }
    default: bytes[Int.random(in: 16..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
    }
    try Data(bytes).write(to: URL(filePath: index))
  }
}

@Suite("A damaged index of symbols", .tool("gcc"), .tool("readelf"), .tool("nm")) struct DamagedIndexCommandTests {
  /// Each is some commands; the library's tests have the long form.
  private static let rounds = 8

  @Test("changes no answer of crash symbolicate and of symbols lookup, of a stored build and of a loose file")
  func noAnswer() throws {
    var it = try DamagedIndex()
    let lookup = ["symbols", "lookup", "--object", it.program, "--json"]
    let symbolicate = ["crash", "symbolicate", it.report, "--to", "json"]
    for isStored in [false, true] {
      if isStored { #expect(try it.run(["symbols", "add", it.program]).status == 0) }
      if isStored { try FileManager.default.removeItem(atPath: it.home.path + "/cache/indexes") }
      let direct = try (it.run(lookup + ["--no-index"]), it.run(symbolicate))
      #expect(direct.0.output.contains("victim.c"))
      #expect(direct.1.output.contains("middle"))
      #expect(try it.run(lookup + ["--index"]).output == direct.0.output)
      try it.keepIndex(of: it.home.path + (isStored ? "/data/symbols" : "/cache/indexes"))
      var random = SeededRandom(seed: isStored ? 41 : 43)
      for number in 0..<Self.rounds {
        try it.damage(number, &random)
        let answers = try it.run(lookup)
        #expect(answers.status == 0, "damage \(number)")
        #expect(answers.output == direct.0.output, "damage \(number)")
        try it.damage(number, &random)
        let report = try it.run(symbolicate)
        #expect(report.status == direct.1.status, "damage \(number)")
        #expect(report.output == direct.1.output, "damage \(number)")
      }
    }
  }

  @Test("whose debug information is gone is an error, and never half an answer")
  func lost() throws {
    var it = try DamagedIndex()
    let debug = it.home.path + "/victim.debug"
    #expect(try Command.run("objcopy", ["--only-keep-debug", it.program, debug]).status == 0)
    #expect(try Command.run("objcopy", ["--strip-debug", "--add-gnu-debuglink=" + debug, it.program]).status == 0)
    let lookup = ["symbols", "lookup", "--object", it.program, "--json"]
    let good = try it.run(lookup + ["--index"])
    #expect(good.output.contains("victim.c"))
    try it.keepIndex(of: it.home.path + "/cache/indexes")
    try FileManager.default.removeItem(atPath: debug)
    #expect(try it.run(lookup).output == good.output)
    var random = SeededRandom(seed: 47)
    for number in 0..<Self.rounds {
      try it.damage(number, &random)
      let answers = try it.run(lookup)
      #expect(answers.output.isEmpty, "damage \(number)")
      #expect(answers.status == 66, "damage \(number)")
      #expect(answers.errors.contains("The symbol index is damaged"))
    }
  }
}
