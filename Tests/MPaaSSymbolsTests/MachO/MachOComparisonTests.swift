import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Mach-O look-ups beside llvm-symbolizer") struct MachOComparisonTests {
  static let files = [
    "macho/matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64",
    "macho/matrix/swift-ios-O.dSYM/Contents/Resources/DWARF/swift-ios-O",
    "macho/symbolic_crash.dSYM/Contents/Resources/DWARF/crash",
    "macho/samply_simple/mac-dsym/main", "macho/llvm/dsym-test-exe",
    "macho/firebase_i386-simulator.dSYM/Contents/Resources/DWARF/CrashTest",
    "crashprobe/release-arm64/dSYMs/3CD3E3CC-281E-3AF3-84EB-CDE6D56F0559.dSYM/Contents/Resources/DWARF/CrashLibiOS",
    "crashprobe/release-arm64/dSYMs/54039061-A983-3323-A49D-837A894D667F.dSYM/Contents/Resources/DWARF/CrashProbeiOS",
  ]

  private struct Answer: Decodable {
    struct Frame: Decodable {
      let FunctionName: String
      let FileName: String
      let Line: Int
    }
    let Symbol: [Frame]
  }

  @Test(
    "random addresses give the same functions, files and lines", .fixtures, .tool("llvm-symbolizer"), arguments: files)
  func random(_ name: String) throws {
    let path = try Fixture.path("crash/" + name)
    let finding = DebugFileSearch(roots: []).find(path: path, buildID: nil)
    let image = try #require(finding.executable?.image as? MachOImage)
    let lookup = try #require(finding.lookup())
    var random = SeededRandom(seed: 3)
    let ranges = image.sections.filter { $0.segment == "__TEXT" && $0.name == "__text" }.compactMap(\.addresses)
    let range = try #require(ranges.first)
    let addresses = (0..<SeededRandom.rounds(or: 300)).map { _ in UInt64.random(in: range, using: &random) }
    let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
    let theirs = try Command.run(
      "llvm-symbolizer", ["--no-demangle", "--output-style=JSON", "--obj=" + path], input: input)
    var equal = 0
    var different = ""
    for (address, line) in zip(addresses, theirs.output.split(separator: "\n")) {
      let frames = try JSONDecoder().decode(Answer.self, from: Data(line.utf8)).Symbol
      // The file of code without a line is a matter of taste.
      let expected = frames.filter { $0.FunctionName != "" || $0.FileName != "" }.map { frame in
        "\(frame.FunctionName) \(frame.Line == 0 ? "" : frame.FileName):\(frame.Line)"
      }
      let found = lookup.frames(at: address).map { frame in
        "\(frame.symbol ?? "") \(frame.line == nil ? "" : frame.file ?? ""):\(frame.line ?? 0)"
      }
      if found == expected { equal += 1 } else { different = "\(String(address, radix: 16)): \(found) \(expected)" }
    }
    #expect(equal * 1000 >= addresses.count * 996, "\(equal) of \(addresses.count), as \(different)")
  }
}
