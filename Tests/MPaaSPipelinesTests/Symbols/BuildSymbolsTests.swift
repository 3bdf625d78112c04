import Foundation
import MPaaSPipelines
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import MPaaSTransfer
import Synchronization
import Testing

/// A small program of C, with and without what its symbols need; needs a C compiler.
struct SampleBuild {
  let folder: TemporaryFolder
  let store: SymbolStore

  init() throws {
    folder = try TemporaryFolder()
    store = SymbolStore(folder.path + "/store")
    try Data("int main(void) { return 0; }\n".utf8).write(to: folder.url.appending(path: "main.c"))
    try FileManager.default.createDirectory(atPath: folder.path + "/out", withIntermediateDirectories: true)
  }

  func compile(_ name: String, _ flags: String...) throws {
    let outcome = try Command.run("cc", ["-o", "out/" + name, "main.c"] + flags, directory: folder.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  var path: String { folder.path + "/out" }
}

@Suite("The symbols of a build", .enabled(if: Command.find("cc") != nil)) struct BuildSymbolsTests {
  #if os(Linux)
    @Test("are found for images with debug information, and missing for others")
    func states() throws {
      let sample = try SampleBuild()
      try sample.compile("good", "-g", "-Wl,--build-id")
      try sample.compile("bare", "-g0", "-Wl,--build-id", "-DBARE")
      try sample.compile("nameless", "-g0", "-Wl,--build-id=none")
      let build = try BuildSymbols(of: sample.path, in: sample.store)
      let states = Dictionary(uniqueKeysWithValues: build.images.map { (FileSystem.name(of: $0.path), $0.symbols) })
      #expect(states == ["good": .found, "bare": .missing, "nameless": .unidentified])
      #expect(build.files.map { FileSystem.name(of: $0) } == ["good"])
    }

    @Test("are kept once, and count when a later build of the same code lacks them")
    func keeps() throws {
      let sample = try SampleBuild()
      try sample.compile("app", "-g", "-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567")
      let build = try BuildSymbols(of: sample.path, in: sample.store)
      #expect(build.add(to: sample.store).files.map(\.isNew) == [true])
      #expect(build.add(to: sample.store).files.map(\.isNew) == [false])
      try sample.compile("app", "-g0", "-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567")
      #expect(try BuildSymbols(of: sample.path, in: sample.store).images.map(\.symbols) == [.stored])
    }

    @Test("go to the places of a symbol server's layout, and are not sent to one that has them")
    func uploads() async throws {
      let sample = try SampleBuild()
      try sample.compile("app", "-g", "-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567")
      let files = try BuildSymbols(of: sample.path, in: sample.store).add(to: sample.store).files.map(\.stored)
      let calls = Mutex<[String]>([])
      let client = HTTPClient { call throws(HTTPError) in
        let isKnown = calls.withLock { calls in
          defer { calls.append("\(call.method) \(call.url) \(call.headers.first?.value ?? "")") }
          return call.method == "HEAD" && calls.contains { $0.hasPrefix("PUT") }
        }
        return HTTPReply(status: call.method == "PUT" ? 201 : isKnown ? 200 : 404)
      }
      let server = try SymbolServer("https://symbols.example.com/app/", layout: .unified)
      let upload = SymbolUpload(to: server, token: "secret", client: client)
      let url = "https://symbols.example.com/app/01/23456789abcdef0123456789abcdef01234567/debuginfo"
      #expect(try await upload.send(files, from: sample.store).map(\.isNew) == [true])
      #expect(try await upload.send(files, from: sample.store).map(\.url) == [url])
      #expect(
        calls.withLock { $0 } == ["HEAD", "PUT", "HEAD"].map { "\($0) \(url) Bearer secret" })
    }
  #endif

  @Test("are refused of a folder without any, and of one that is not there")
  func none() throws {
    let folder = try TemporaryFolder()
    let store = SymbolStore(folder.path + "/store")
    #expect(throws: PipelineError.self) { try BuildSymbols(of: folder.path + "/none", in: store) }
    let error = #expect(throws: PipelineError.self) { try BuildSymbols(of: folder.path, in: store) }
    #expect(error?.code.id.name == "ci-symbols-none")
  }
}
