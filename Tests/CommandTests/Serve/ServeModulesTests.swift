import Foundation
import MPaaSModulesTestSupport
import MPaaSTestSupport
import Testing

@Suite("mpaas serve --modules") struct ServeModulesTests {
  /// Somebody who has a registry made with commands, and serves its modules.
  private struct Served {
    let home: TemporaryFolder
    let program: RunningProgram
    let port: UInt16
    let token: String
    let key: String

    init() throws {
      let home = try TemporaryFolder()
      self.home = home
      let environment = ["MPAAS_HOME": home.path + "/home", "LC_ALL": "C", "MPAAS_LANG": ""]
      func write(_ text: String, to path: String) throws {
        let file = home.url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      for (name, version, needs) in [("Cart", "1.2.0", "[dependencies]\nTax = \"^2\"\n"), ("Tax", "2.0.1", "")] {
        try write("int \(name.lowercased());\n", to: "\(name)/code.c")
        try write("Free.\n", to: "\(name)/LICENSE")
        try write(
          """
          [module]
          name = "\(name)"
          version = "\(version)"
          summary = { en = "The \(name).", zh-Hans = "模块 \(name)。" }

          [notes]
          en = "The first."
          zh-Hans = "首个版本。"

          [contents]
          sources = ["code.c"]

          \(needs)
          """, to: "\(name)/module.toml")
      }
      for words in [
        ["key", "generate", "--name", "release", "--unencrypted"], ["registry", "init", "repo", "--key", "release"],
        ["registry", "pack", "Cart", "Tax", "--output", "dist"],
        [
          "registry", "add", "dist/Cart-1.2.0.tar.zst", "dist/Tax-2.0.1.tar.zst", "--repository", "repo", "--key",
          "release",
        ],
      ] {
        let done = try Command.run("mpaas", words, environment: environment, directory: home.url)
        try #require(done.status == 0, "\(words) \(done.errors)")
      }
      try write("[registries.main]\nurl = \"repo\"\nroot = \"repo/metadata/1.root.json\"\n", to: "modules.toml")
      program = try RunningProgram(
        Command.mpaas.path,
        [
          "serve", "--listen", "127.0.0.1:0", "--json", "--data", home.path + "/data", "--modules",
          home.path + "/modules.toml",
        ], environment: environment)
      let ready = try JSONSerialization.jsonObject(with: Data(program.line.utf8)) as? [String: Any]
      let url = try #require(ready?["url"] as? String)
      port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
      token = try #require(ready?["token"] as? String)
      key = try #require(ready?["app_key"] as? String)
    }

    func ask(_ method: String, _ path: String, _ body: String = "") throws -> RawAnswer {
      try RawAnswer.exchange(
        port,
        Array(
          """
          \(method) \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nConnection: close\r
          Content-Length: \(body.utf8.count)\r\n\r\n\(body)
          """.utf8))
    }
  }

  @Test("offers what registry commands made; what is chosen comes as an archive that module sync takes")
  func roundTrip() throws {
    let it = try Served()
    let api = "/api/v1/apps/\(it.key)/modules"
    let chosen = try it.ask("PUT", api, #"{"modules":{"Cart":"^1"},"platform":"linux"}"#)
    #expect(chosen.status == 200, "\(chosen.body)")
    let page = try it.ask("GET", "/apps/\(it.key)/modules").body
    #expect(page.contains("Cart ^1 → Tax ^2") && page.contains("The Cart.") && page.contains("modules.zip"))
    let archive = try it.ask("GET", "/apps/\(it.key)/modules/modules.zip")
    #expect(archive.status == 200)
    let project = try TemporaryFolder()
    let paths = try unpack(archive.bytes, into: project.path)
    #expect(paths.contains("mpaas.lock") && paths.contains("modules/main/metadata/1.root.json"), "\(paths)")
    // On another machine, whose user knows no registry.
    let home = ["MPAAS_HOME": project.path + "/home", "LC_ALL": "C", "MPAAS_LANG": ""]
    let synced = try Command.run(
      "mpaas", ["module", "sync", "--frozen", "--offline"], environment: home, directory: project.url)
    #expect(synced.status == 0, "\(synced.errors)")
    let placed = project.url.appending(path: "MPaaS/Modules/Tax/code.c")
    #expect(try String(contentsOf: placed, encoding: .utf8) == "int tax;\n")
    // By manifest and lock alone, from the registry itself.
    let other = try TemporaryFolder()
    for name in ["mpaas.toml", "mpaas.lock"] {
      try Data(try it.ask("GET", "/apps/\(it.key)/modules/\(name)").bytes).write(to: other.url.appending(path: name))
    }
    let trusted = ["MPAAS_HOME": other.path + "/home", "LC_ALL": "C", "MPAAS_LANG": ""]
    let (repo, root) = (it.home.path + "/repo", it.home.path + "/repo/metadata/1.root.json")
    for words in [["sdk", "registry", "add", "main", repo, "--root", root], ["module", "sync", "--frozen"]] {
      let done = try Command.run("mpaas", words, environment: trusted, directory: other.url)
      #expect(done.status == 0, "\(words) \(done.errors)")
    }
    #expect(FileManager.default.fileExists(atPath: other.path + "/MPaaS/Modules/Cart/code.c"))
    #expect(it.program.end(SIGTERM) == 0)
  }

  @Test("ends with the line of a file that cannot be used, and where it names no registry")
  func refused() throws {
    let home = try TemporaryFolder()
    let file = home.path + "/modules.toml"
    func serve() throws -> Command.Outcome {
      try mpaas(["serve", "--data", home.path + "/data", "--listen", "127.0.0.1:0", "--modules", file], home: home)
    }
    #expect(try serve().status == 66)
    try Data("[project]\n".utf8).write(to: URL(filePath: file))
    let none = try serve()
    #expect(none.status == 78 && none.errors.contains("names no registry"), "\(none.errors)")
    try Data("[registries.main]\nurl = \"repo\"\nrot = \"x\"\n".utf8).write(to: URL(filePath: file))
    let wrong = try serve()
    #expect(wrong.status == 65 && wrong.errors.contains("modules.toml:3"), "\(wrong.errors)")
  }
}
