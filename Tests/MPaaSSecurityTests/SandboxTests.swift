import Foundation
import MPaaSSecurityTools
import MPaaSTestSupport
import MPaaSToolSupport
import Synchronization
import Testing

@Suite("The data of apps") struct SandboxTests {
  private func home() throws -> (folder: TemporaryFolder, search: AppDataSearch) {
    let folder = try TemporaryFolder()
    let data = folder.url.appending(path: "share/shop/Documents")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data("tea".utf8).write(to: data.appending(path: "cart.txt"))
    let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path + "/share", "TMPDIR": folder.path]
    return (folder, AppDataSearch(environment: environment, processes: Self.programs([:])))
  }

  /// Programs that print what a test says; others cannot be started.
  private static func programs(_ outputs: [String: (Int32, String)]) -> ProcessRunner {
    ProcessRunner { request throws(ProcessRunner.Failure) in
      let line = ([request.program] + request.arguments).joined(separator: " ")
      guard let found = outputs.first(where: { line.hasPrefix($0.key) }) else {
        return ProcessRunner.Outcome(status: 127)
      }
      return ProcessRunner.Outcome(status: found.value.0, output: found.value.1)
    }
  }

  @Test("lie in the folder of data of their name")
  func local() throws {
    let (folder, search) = try home()
    let data = try search.find("shop", at: .xdg)
    #expect(data.folder == folder.path + "/share/shop" && !data.isMounted)
    #expect(try data.entries().map(\.name) == ["Documents"])
    #expect(try data.entries("Documents").map(\.size) == [3])
    #expect(throws: SecurityError.self) { try search.find("other", at: .xdg) }
  }

  @Test("are not left by a path, a name or a link")
  func inside() throws {
    let (folder, search) = try home()
    for name in ["../share", "..", ".", "", "a/b"] { #expect(throws: SecurityError.self) { try search.find(name) } }
    let data = try search.find("shop", at: .xdg)
    #expect(throws: SecurityError(.outside, ["path": "../x", "app": "shop"])) { try data.path("../x") }
    try FileManager.default.createSymbolicLink(atPath: data.folder + "/way", withDestinationPath: folder.path)
    #expect(throws: SecurityError.self) { try data.entries("way") }
    #expect(throws: SecurityError.self) { try data.pull("way/share", to: folder.path + "/out") }
    try Data("x".utf8).write(to: folder.url.appending(path: "file"))
    #expect(throws: SecurityError.self) { try data.push(folder.path + "/file", to: "way/new") }
    // A folder that is pushed over another does not follow its links.
    for place in [folder.path + "/source/way", data.folder + "/source"] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: data.folder + "/source/way", withDestinationPath: folder.path)
    #expect(throws: SecurityError.self) { try data.push(folder.path + "/source", to: "", replaces: true) }
  }

  @Test("come and go with all that is in a folder, and replace nothing unasked")
  func copies() throws {
    let (folder, search) = try home()
    let data = try search.find("shop", at: .xdg)
    let out = folder.path + "/out"
    let copied = try data.pull("Documents", to: out)
    #expect(copied.files == 1 && copied.bytes == 3)
    #expect(try String(contentsOfFile: out + "/cart.txt", encoding: .utf8) == "tea")
    #expect(throws: SecurityError(.targetExists, ["path": out + "/Documents/cart.txt"])) {
      _ = try data.pull("Documents", to: out)
      _ = try data.pull("Documents/cart.txt", to: out + "/Documents/cart.txt")
    }
    #expect(try data.push(out, to: "new/folder").files >= 1)
    #expect(throws: SecurityError.self) { try data.push(out + "/cart.txt", to: "Documents") }
    #expect(try data.push(out + "/cart.txt", to: "Documents", replaces: true).files == 1)
  }

  @Test("of a simulator lie where simctl says")
  func simulator() throws {
    var search = try home().search
    let call = "xcrun simctl get_app_container booted com.example.shop data"
    search.processes = Self.programs([call: (0, "/sim/data\n")])
    #expect(try search.find("com.example.shop", at: .simulator).folder == "/sim/data")
    search.processes = Self.programs(["xcrun simctl": (2, "")])
    #expect(throws: SecurityError.self) { try search.find("com.example.shop", at: .simulator) }
  }

  @Test("of a device are mounted for the call, and let go of after it")
  func device() throws {
    let (folder, base) = try home()
    var search = base
    defer { withExtendedLifetime(folder) {} }
    let calls = Mutex<[String]>([])
    search.processes = ProcessRunner { request throws(ProcessRunner.Failure) in
      calls.withLock { $0.append(([request.program] + request.arguments.prefix(3)).joined(separator: " ")) }
      return ProcessRunner.Outcome(status: 0, output: request.program == "idevice_id" ? "U1\nU2\n" : "")
    }
    let data = try search.find("com.example.shop", at: .device)
    #expect(data.isMounted && FileManager.default.fileExists(atPath: data.folder))
    search.release(data)
    #expect(!FileManager.default.fileExists(atPath: data.folder))
    #expect(calls.withLock { $0.prefix(2) } == ["idevice_id -l", "ifuse --udid U1 --container"])
    search.processes = Self.programs([:])
    #expect(throws: SecurityError(.noDevice, ["program": "idevice_id"])) { try search.find("a", at: .device) }
  }

  @Test("of a project begin at the nearest folder with one in it")
  func root() throws {
    let folder = try TemporaryFolder()
    let inner = folder.url.appending(path: "Shop/Sources/Cart")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let project = folder.url.appending(path: "Shop/Shop.xcodeproj")
    try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
    let root = folder.url.appending(path: "Shop").resolvingSymlinksInPath().path
    #expect(ProjectRoot.find(from: inner.path) == root)
    #expect(ProjectRoot.find(from: project.path) == root)
    #expect(ProjectRoot.find(from: folder.path + "/none") == nil)
  }
}
