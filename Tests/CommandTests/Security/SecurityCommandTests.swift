import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas security, sandbox and shell") struct SecurityCommandTests {
  #if os(Linux)
    private func waiting(_ environment: [String: String] = [:]) throws -> Process {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sleep")
      process.arguments = ["60"]
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      try withNoSignalsBlocked { try process.run() }
      // Until it is the program, it is a copy of this one.
      while (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/comm", encoding: .utf8)) != "sleep\n" {
        usleep(1000)
      }
      return process
    }

    @Test("find nothing in a program that is left alone, and what was loaded into another")
    func check() throws {
      let clean = try waiting()
      defer { clean.terminate() }
      let nothing = try mpaas(["security", "check", "\(clean.processIdentifier)", "--json"])
      #expect(nothing.status == 0, "\(nothing.output)\(nothing.errors)")
      #expect((try json(nothing.output)["findings"] as? [Any])?.isEmpty == true)
      guard Command.find("cc") != nil else { return print("skipped: there is no cc") }
      let folder = try TemporaryFolder()
      try Data("int unused;".utf8).write(to: folder.url.appending(path: "spy.c"))
      let library = folder.path + "/spy.so"
      #expect(try Command.run("cc", ["-shared", "-fPIC", "-o", library, folder.path + "/spy.c"]).status == 0)
      let spied = try waiting(["LD_PRELOAD": library])
      defer { spied.terminate() }
      // The loader is done when the program sleeps.
      usleep(300_000)
      let pid = "\(spied.processIdentifier)"
      let found = try mpaas(["security", "check", pid, "--json"])
      let findings = try json(found.output)["findings"] as? [[String: String]]
      #expect(found.status == 1 && findings?.compactMap { $0["kind"] } == ["preload-variable", "foreign-image"])
      #expect(findings?.allSatisfy { $0["bypass"]?.isEmpty == false && $0["evidence"]?.isEmpty == false } == true)
      #expect(try mpaas(["security", "check", pid, "--allow", "spy.so"]).status == 0)
      #expect(try mpaas(["security", "check", pid, "--allow", folder.path + "/"]).status == 0)
      let missing = try mpaas(["security", "check", "2147483647"])
      #expect(missing.status == 66 && missing.errors.contains("There is no process 2147483647."))
    }
  #endif

  @Test("bring files of an app's data out and in, and lead nowhere else")
  func sandbox() throws {
    let folder = try TemporaryFolder()
    let home = ["XDG_DATA_HOME": folder.path + "/share", "HOME": folder.path]
    let documents = folder.url.appending(path: "share/shop/Documents")
    try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    try Data("tea".utf8).write(to: documents.appending(path: "cart.txt"))
    func run(_ words: String...) throws -> Command.Outcome {
      try Command.run(Command.mpaas.path, ["sandbox"] + words, environment: home, directory: folder.url)
    }
    let open = try run("open", "shop", "--on", "xdg", "--print")
    #expect(open.output == folder.path + "/share/shop\n" && open.status == 0)
    let list = try run("ls", "shop", "Documents", "--on", "xdg", "--json")
    #expect((try json(list.output)["entries"] as? [[String: Any]])?.first?["name"] as? String == "cart.txt")
    #expect(try run("pull", "shop", "Documents/cart.txt", "--on", "xdg").status == 0)
    #expect(try String(contentsOfFile: folder.path + "/cart.txt", encoding: .utf8) == "tea")
    #expect(try run("pull", "shop", "Documents/cart.txt", "--on", "xdg").status == 73)
    #expect(try run("push", "shop", "cart.txt", "new.txt", "--on", "xdg").status == 0)
    #expect(try run("push", "shop", "cart.txt", "../new.txt", "--on", "xdg").status == 77)
    #expect(try run("ls", "other", "--on", "xdg").status == 66)
  }

  @Test("begin a shell in the root of a project, or say where it is")
  func shell() throws {
    let folder = try TemporaryFolder()
    let inner = folder.url.appending(path: "Shop/Sources")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data().write(to: folder.url.appending(path: "Shop/Package.swift"))
    let root = folder.url.resolvingSymlinksInPath().path + "/Shop"
    #expect(try mpaas(["shell", inner.path, "--print"]).output == root + "\n")
    #expect(try json(try mpaas(["shell", inner.path, "--json"]).output)["folder"] as? String == root)
    let typed = try Command.run(
      Command.mpaas.path, ["shell"], input: "pwd\n", environment: ["SHELL": "/bin/sh"], directory: inner)
    #expect(typed.output == root + "\n" && typed.status == 0)
    #expect(try mpaas(["shell", folder.path + "/none"]).status == 66)
  }
}
