import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Faults planted in real projects") struct PlantedFaultTests {
  /// The projects whose check finds no error, some of them in a short run.
  private static func clean() throws -> [(name: String, text: String)] {
    let names = try XcodeFixtures.files().filter { $0.contains("project/pbxproj/") }
    let step = max(1, names.count / max(1, SeededRandom.rounds(or: 14)))
    return try stride(from: 0, to: names.count, by: step).compactMap { index in
      let file = try XcodeFixtures.read(names[index])
      guard file.bytes.count < 400_000, errors(Array(file.bytes)).isEmpty else { return nil }
      return (names[index], String(decoding: file.bytes, as: UTF8.self))
    }
  }

  private static func errors(_ bytes: [UInt8]) -> [ProjectFinding] {
    ProjectCheck.findings(in: bytes, file: "p").filter { $0.severity == .error }
  }

  private func line(_ text: String, _ index: String.Index) -> Int { text[..<index].utf8.count { $0 == 0x0a } + 1 }

  private func line(of finding: ProjectFinding?) -> Int? {
    guard case .text(_, let line, _)? = finding?.place else { return nil }
    return line
  }

  @Test(
    "a reference to nothing is found on its line, by whatever member it is made", .fixtures,
    arguments: [
      "fileRef = ", "mainGroup = ", "buildConfigurationList = ", "target = ", "targetProxy = ", "productReference = ",
      "containerPortal = ", "productRefGroup = ",
    ])
  func dangling(member: String) throws {
    var count = 0
    for (name, text) in try Self.clean() {
      guard let place = text.firstRange(of: member) else { continue }
      count += 1
      let end = text[place.upperBound...].firstIndex { " ;".contains($0) } ?? text.endIndex
      let planted = text.replacingCharacters(place.upperBound..<end, with: "0123456789ABCDEF01234567")
      let found = Self.errors(Array(planted.utf8)).filter { $0.rule == .dangling }
      #expect(line(of: found.first) == line(text, place.lowerBound), "\(name)")
      #expect(found.first?.values["to"] == "0123456789ABCDEF01234567", "\(name)")
    }
    #expect(count > 0)
  }

  @Test("an object that stands twice is found where it stands again", .fixtures)
  func double() throws {
    for (name, text) in try Self.clean() {
      guard let section = text.firstRange(of: "/* Begin PBXFileReference section */\n"),
        let end = text[section.upperBound...].firstIndex(where: \.isNewline)
      else { continue }
      let object = String(text[section.upperBound...end])
      guard object.hasSuffix("};\n") else { continue }
      let planted = text.replacing(object, with: object + object, maxReplacements: 1)
      let found = Self.errors(Array(planted.utf8))
      #expect(found.map(\.rule) == [.duplicateID], "\(name)")
      #expect(line(of: found.first) == line(text, section.upperBound) + 1, "\(name)")
    }
  }

  @Test("a cut anywhere is found as one error of syntax, and never brings the check down", .fixtures)
  func cut() throws {
    var random = SeededRandom(seed: 57)
    for (name, text) in try Self.clean().prefix(4) {
      let bytes = Array(text.utf8)
      for _ in 0..<4 {
        let count = Int.random(in: 1..<bytes.count - 4, using: &random)
        let found = ProjectCheck.findings(in: Array(bytes[..<count]), file: "p")
        #expect(found.count == 1, "\(name) \(count)")
        #expect(found.first?.rule == .syntax, "\(name) \(count)")
      }
    }
  }

  @Test("findings stand in the order of their lines, and are the same each time", .fixtures)
  func order() throws {
    for (name, text) in try Self.clean().prefix(6) {
      var planted = text
      for member in ["fileRef = ", "target = ", "mainGroup = "] {
        planted = planted.replacing(member, with: member + "9", maxReplacements: 2)
      }
      let found = ProjectCheck.findings(in: Array(planted.utf8), file: "p")
      let lines = found.compactMap { line(of: $0) }
      #expect(lines == lines.sorted(), "\(name)")
      #expect(ProjectCheck.findings(in: Array(planted.utf8), file: "p") == found, "\(name)")
    }
  }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }
}
