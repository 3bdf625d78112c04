import Foundation
import MPaaSTestSupport
import Testing

@Suite("--output -") struct OutputPathTests {
  private static let theme = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>Title</key><dict><key>Color</key><string>#00aaee</string></dict></dict></plist>
    """

  @Test(
    "is standard output, and makes no file of that name",
    arguments: [
      (["theme", "preview", "a.plist"], "<svg"), (["theme", "convert", "a.plist", "--to", "swift"], "import UIKit"),
      (["i18n", "convert", "Localizable.strings", "--to", "csv"], "key,variant"),
      (
        [
          "update", "manifest", "--package", "https://a.b/c.ipa", "--bundle-id", "a.b", "--bundle-version", "1",
          "--title",
          "T",
        ], "<plist"
      ),
      (["dao", "generate", "a.swift"], "<?xml"), (["generate", "model", "a.json"], "struct"),
    ])
  func standardOutput(words: [String], expected: String) throws {
    let folder = try TemporaryFolder()
    let files = [
      "a.plist": Self.theme, "Localizable.strings": #""a" = "b";"#, "a.swift": "struct Cart { var id: Int }",
      "a.json": #"{"id": 1}"#,
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
    let outcome = try Command.run("mpaas", words + ["--output", "-"], directory: folder.url)
    #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    #expect(outcome.output.contains(expected), "\(words): \(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files.keys.sorted())
  }
}
