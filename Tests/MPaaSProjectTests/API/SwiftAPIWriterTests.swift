import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Calls as Swift") struct SwiftAPIWriterTests {
  /// The files that are generated for a scaffold, by their names.
  private func sources(_ bytes: [UInt8], name: String = "library") throws -> [String: String] {
    let models = SwiftModelWriter.Options(access: .public)
    let writer = try SwiftAPIWriter(
      Scaffold(bytes, file: "a.json"), file: "a.json", options: .init(name: name, models: models))
    let support = SwiftModelSupport.imports + "\n" + SwiftModelSupport.source(access: "public")
    return [
      "Models.swift": SwiftModelWriter.source(writer.modelSet, models), "JSONSupport.swift": support,
      "API.swift": "import MPaaSFramework\n\n" + (writer.source ?? ""),
    ]
  }

  private func write(_ sources: [String: String], to folder: TemporaryFolder) throws -> [String] {
    try sources.sorted { $0.key < $1.key }.map { name, text in
      let path = folder.path + "/" + name
      try Data(text.utf8).write(to: URL(filePath: path))
      return path
    }
  }

  @Test("the code of the example sends its calls and reads their answers", .tool("swiftc"))
  func example() throws {
    let folder = try TemporaryFolder()
    let main = try String(
      contentsOf: Fixture.package.appending(path: "Tests/GeneratedCode/LibrarySession.swift"),
      encoding: .utf8)
    let paths = try write(try sources(exampleScaffold()).merging(["main.swift": main]) { $1 }, to: folder)
    let outcome = try compile(paths, into: folder.path + "/session")
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let session = try Command.run(folder.path + "/session")
    #expect(session.output == "all is well\n", "\(session.output)\(session.errors)")
    #expect(session.status == 0, "\(session.output)\(session.errors)")
  }

  /// Compiles sources with the framework as it was built for the tests; a warning is an error.
  private func compile(_ paths: [String], into program: String) throws -> Command.Outcome {
    let objects = try ["MPaaSFramework", "MPaaSLock", "MPaaSTime", "CAtomicWord"].flatMap { target in
      try FileManager.default.contentsOfDirectory(
        at: Command.products.appending(path: "\(target).build"), includingPropertiesForKeys: nil
      ).map(\.path).filter { $0.hasSuffix(".o") }.sorted()
    }
    let flags = ["-swift-version", "6", "-warnings-as-errors", "-module-name", "Session"]
    return try Command.run("swiftc", flags + Self.modules + paths + objects + ["-o", program])
  }

  /// The folders where the compiler finds the framework's module and what it stands on.
  private static let modules = [
    "-I", Command.products.appending(path: "Modules").path,
    "-Xcc", "-fmodule-map-file=" + Command.products.appending(path: "CAtomicWord.build/module.modulemap").path,
  ]

  @Test("swift format leaves the code of calls and of their models as it is", .tool("swift"))
  func formatted() throws {
    let folder = try TemporaryFolder()
    for bytes in [try exampleScaffold(), Array(Self.sample.utf8)] {
      let sources = try sources(bytes)
      for path in try write(sources, to: folder) where !path.hasSuffix("JSONSupport.swift") {
        let outcome = try Command.run("swift", ["format", path])
        let text = sources[URL(filePath: path).lastPathComponent] ?? ""
        let changed = zip(text.split(separator: "\n"), outcome.output.split(separator: "\n")).first { $0 != $1 }
        #expect(outcome.output == text, "\(path): \(changed as Any) \(outcome.errors)")
        #expect(outcome.status == 0, "\(path): \(changed as Any) \(outcome.errors)")
      }
    }
  }

  @Test("the same scaffold gives the same code, and comments change nothing but comments")
  func stable() throws {
    let first = try sources(exampleScaffold())
    #expect(try sources(exampleScaffold()) == first)
    let text = String(decoding: try exampleScaffold(), as: UTF8.self)
    let bare = text.replacing("// One book.", with: "").replacing("\t", with: " ")
    let second = try sources(Array(bare.utf8))
    #expect(second["Models.swift"] == first["Models.swift"])
    #expect(second["API.swift"] != first["API.swift"])
  }

  /// A sample of the unusual: names that are keywords or types, files beside forms, absolute URLs, flat lists.
  static let sample = """
    {
      "title": "Odds \\"and\\" ends", "prefix": "od", "server": {"staging": "https://staging.example/?url="},
      "enum": {"CLASS": {"default": "default", "self": "self", "2x": "2x"}},
      "model": {
        "TYPE": {"! class": "<CLASS>", "init": 1, "in": ["<CLASS>"], "a b": true, "a_b": 1.5, "日期": "2026"},
        "ERROR": {"code": 1, "inner": "{ERROR}", "list": [["{TYPE}"]], "odd": ["x", 1]}, "NAMES": ["x"], "EMPTY": {}
      },
      "controller": {
        "POST /order/list": {"body": "form", "request": {"class": "<CLASS>", "filter": "{TYPE}", "ids": [1],
          "kinds": ["<CLASS>"], "! page": 1}, "response": [["{ERROR}"]]},
        "POST /upload/:class": {"body": "json-field", "parameters": {"class": "<CLASS>"},
          "fileList": {"a b": "{FILE}", "! photo": "{PNG}"}, "request": "{TYPE}", "response": {}},
        "GET https://other.example/v1/me?id=:id": {"request": ["x"], "response": "{NAMES}"},
        "PATCH /": {"alias": "touch", "request": {"input": {"output": null}}, "response": "text"},
        "GET /search": {"request": "{NAMES}", "response": [{"a": 1}, {"b": "x"}]},
        "HEAD /:request/:input": {"headers": {"! If-Match": "x", "X-Count": 1, "X-Kind": "<CLASS>"}}
      }
    }
    """

  @Test("unusual names and shapes give code that compiles without a warning", .tool("swiftc"))
  func unusual() throws {
    let folder = try TemporaryFolder()
    let paths = try write(try sources(Array(Self.sample.utf8), name: "odds-and-ends"), to: folder)
    let outcome = try Command.run(
      "swiftc", ["-swift-version", "6", "-warnings-as-errors", "-typecheck"] + Self.modules + paths)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
