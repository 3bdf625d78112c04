import MPaaSCPD
import MPaaSTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Clones that were planted") struct PlantedCloneTests {
  struct Planted: Decodable {
    struct Span: Decodable {
      let file: String
      let start: Int
      let end: Int
    }
    let type: String
    let spans: [Span]
  }

  @Test(
    "are found with their types, and nothing else is", .fixtures, arguments: ["swift", "c", "lua"], [60, 100, 200])
  func planted(language: String, minimum: Int) throws {
    let folder = try Fixture.path("scan/cpd/clones-\(language)")
    let expected = try JSONDecoder().decode(
      [Planted].self, from: Data(contentsOf: URL(filePath: folder + "/expected.json")))
    var options = CloneOptions()
    options.minimumTokens = minimum
    let report = CloneReport(try SourceTree().files([folder]), options)
    var left = report.clones
    for planted in expected where planted.type != "off" {
      let index = left.firstIndex { found in
        "\(found.clone.type.rawValue)" == planted.type
          && planted.spans.allSatisfy { span in
            found.spans.contains { own in
              report.sources[own.source].path.hasSuffix("/" + span.file) && own.start <= span.start
                && own.end >= span.end && own.end - own.start <= span.end - span.start + 8
            }
          }
      }
      #expect(index != nil, "type \(planted.type) at \(planted.spans)")
      if let index { left.remove(at: index) }
    }
    // Inside of a planted clone a part of another type may be told by itself.
    left.removeAll { found in
      expected.contains { planted in
        planted.type != "off"
          && found.spans.allSatisfy { own in
            planted.spans.contains { span in
              report.sources[own.source].path.hasSuffix("/" + span.file) && own.start >= span.start - 3
                && own.end <= span.end + 3
            }
          }
      }
    }
    #expect(left.map(\.spans) == [])
  }

  @Test("are those of PMD with the same minimum, its halves put together", .fixtures)
  func peer() throws {
    let folder = try Fixture.path("scan/cpd/clones-swift")
    var options = CloneOptions()
    options.types = [.exact]
    let report = CloneReport(try SourceTree().files([folder]), options)
    let own = report.clones.map { found in
      found.spans.map { "\(report.sources[$0.source].path.split(separator: "/").last ?? ""):\($0.start)-\($0.end)" }
        .sorted().joined(separator: " ") + " \(found.clone.tokens)"
    }
    let text = try String(contentsOfFile: folder + ".pmd-7.27-min100.xml", encoding: .utf8)
    #expect(Set(own) == Set(Self.duplications(text)))
  }

  /// The places and tokens of each duplication in a report of PMD.
  private static func duplications(_ text: String) -> [String] {
    text.components(separatedBy: "<duplication ").dropFirst().map { part in
      let tokens = value("tokens", part)
      let files = part.components(separatedBy: "<file ").dropFirst().map { file in
        "\(value("path", file).split(separator: "/").last ?? ""):\(value("line", file))-\(value("endline", file))"
      }
      return files.sorted().joined(separator: " ") + " " + tokens
    }
  }

  private static func value(_ name: String, _ text: String) -> String {
    let word = text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix(name + "=\"") }
    return word.map { String($0.dropFirst(name.count + 2).prefix { $0 != "\"" }) } ?? ""
  }
}
