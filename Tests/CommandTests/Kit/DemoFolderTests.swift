import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas demo") struct DemoFolderTests {
  let folder: TemporaryFolder
  private var demo: String { folder.path + "/a demo" }

  init() throws { folder = try TemporaryFolder() }

  private func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: demo + "/" + name) }

  /// Runs a line in the demo's folder as its user would.
  private func line(_ text: String) throws -> Command.Outcome {
    let script = "cd '\(demo)' && . ./env && \(text)"
    return try Command.run("sh", ["-c", script], environment: ["LC_ALL": "C", "MPAAS_LANG": ""])
  }

  private static let lines = [
    "mpaas hotpatch test fix --symbols symbols.json", "mpaas registry check --repository registry",
    "mpaas crash symbolicate crashes --in-place && mpaas crash show crashes/*.ips | grep PriceLadder.swift:27",
    "mpaas sdk registry add main registry --root registry/metadata/1.root.json && cd Shop && mpaas module add Payment",
    "orderbook --symbols | cmp - symbols.json", "test -s data/mpaas.sqlite",
  ]

  @Test("makes a folder in which the examples run, and touches nothing outside of it")
  func whole() throws {
    let home = try TemporaryFolder()
    let made = try mpaas("demo", demo, "--json", home: home)
    #expect(made.status == 0, "\(made)")
    #expect(try json(made.output)["parts"] as? [String] == ["modules", "patch", "crash", "server"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    for text in Self.lines {
      let outcome = try line(text)
      #expect(outcome.status == 0, "\(text): \(outcome)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
  }

  @Test("makes the parts that are asked for, and no other")
  func part() throws {
    let made = try mpaas("demo", demo, "--part", "patch")
    #expect(made.status == 0, "\(made)")
    #expect(has("fix/main.lua") && has("symbols.json") && has("env"))
    #expect(!has("registry") && !has("crashes") && !has("data"))
  }

  @Test("leaves a folder alone that has something in it")
  func taken() throws {
    try FileManager.default.createDirectory(atPath: demo, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: demo + "/note"))
    let refused = try mpaas("demo", demo)
    #expect(refused.status == 73, "\(refused)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo) == ["note"])
  }

  @Test("says which command failed, and leaves nothing behind")
  func failure() throws {
    let failed = try mpaas("demo", demo, "--part", "server", environment: ["MPAAS_SERVER": "/nowhere/mpaas-server"])
    #expect(failed.status == 1, "\(failed)")
    #expect(failed.errors.contains("mpaas serve --data data"), "\(failed.errors)")
    #expect(!FileManager.default.fileExists(atPath: demo))
  }
}
