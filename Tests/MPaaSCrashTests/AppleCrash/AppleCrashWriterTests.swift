import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A report written as Apple's text", .fixtures) struct AppleCrashWriterTests {
  /// The lines, with the columns of frames and images as wide as Apple has them.
  ///
  /// The converted fixture was changed by hand: the program's name was replaced, and columns behind it moved.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains("\t") ? String(line.replacing(#/ +\t +/#, with: "\t")) : String(line)
    }
  }

  @Test("is what another converter makes of an .ips file of iOS, line for line")
  func phone() throws {
    let report = try ReportFile.read(try Fixture.path("crash/apple/sym_AppleJson.ips"))
    let expected = String(decoding: try Fixture.data("crash/apple/sym_AppleConverted.log"), as: UTF8.self)
    let trimmed = expected.trimmingCharacters(in: .newlines)
    #expect(lines(AppleCrashWriter.text(of: report)) == lines(trimmed + "\n"))
  }

  @Test("is the text that a report was read from, byte for byte", arguments: AppleFixture.texts)
  func original(name: String) throws {
    #expect(AppleCrashWriter.text(of: try AppleFixture.report(name)) == (try AppleFixture.text(name)))
  }
}
