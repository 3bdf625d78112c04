import MPaaSHAR
import MPaaSJSON
import MPaaSMock
import MPaaSMockRecording
import MPaaSMockServing
import MPaaSNetwork
import MPaaSPact
package import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport
package import MockServingKit
package import ServingKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension MockServing: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let reachesOut = try !ControlAddress(listen).isLoopback
    guard isPublic || !reachesOut else { throw Diagnostic("mock-remote", ["address": listen], exit: .usage) }
    let folder = stubs.map { StubFolder($0) }
    let gateway = gateway(folder, reachesOut, in: context)
    if let folder { try read(folder, into: gateway) }
    try MockSources.addImports(of: self, to: gateway.library, in: context)
    let sources = try MockSources(self, in: context)
    gateway.sources = sources.all
    gateway.first = sources.calls(of: self, before: gateway.library, try signers(in: context))
    if let pactFolder { try PactFolder(pactFolder).make() }
    let recording = try recordingFile()
    if let recorded { gateway.startRecording(recorded) }
    let pass = MockPassing()
    // Before anybody can know that it is ready to be ended.
    let wishes = EndWishes()
    let server = try await MockServer.listen(
      on: profile == nil ? listen : "127.0.0.1:0", isSecure: isSecure, gateway,
      passing: { request, proxying in
        if let proxy = sources.proxy, proxy.isMeant(by: proxying) {
          return proxy.checked(await pass.answer(request, proxying), to: request)
        }
        guard let recording else { return await pass.answer(request, proxying) }
        return await record(request, in: recording) { await pass.answer($0, proxying) }
      },
      told: { [terminal = context.terminal] method, target, status in terminal.note(request: method, target, status) })
    let conditioned = try await conditions(before: server)
    let place = try server.authority.map { try MockAuthority($0, chosen: authority, in: context.directories) }
    defer { place?.remove() }
    let url = conditioned.map { "\(isSecure ? "https" : "http")://\($0.address)" } ?? server.url
    sources.serve(at: url)
    try results.put(ServedMock(url: url, stubs: gateway.library.count, ca: place?.file))
    let watching = folder.map { folder in Task { await watch(folder, gateway, context.terminal) } }
    for await wish in wishes.all {
      guard wish == .reload, let folder else { break }
      reread(folder, gateway, context.terminal)
    }
    watching?.cancel()
    await server.close()
    await conditioned?.collection.shutdown()
    if recorded != nil { _ = try gateway.stopRecording() }
    if let pactFolder, let written = try sources.writePacts(to: pactFolder) { try results.put(written) }
    return .done
  }

  /// The HAR that traffic is recorded in: that of `--har`, where `--record` is there, too.
  private func recordingFile() throws -> HARRecordingFile? {
    guard recorded != nil, let har else { return nil }
    return try HARRecordingFile(har, version: version)
  }

  /// Passes a request on, and writes it down with its answer, without their secrets.
  private func record(
    _ request: MockRequest, in file: HARRecordingFile, _ work: (MockRequest) async -> MockAnswer
  ) async -> MockAnswer {
    var plain = request
    // Contents that are compressed could not be looked into for secrets.
    plain.headers.removeAll { $0.name.lowercased() == "accept-encoding" }
    let start = WallClock.seconds
    let answer = await work(plain)
    try? file.add(HARExchange(plain, answer, at: start, took: (WallClock.seconds - start) * 1000))
    return answer
  }

  private func gateway(_ folder: StubFolder?, _ reachesOut: Bool, in context: Context) -> MockGateway {
    var world = MockWorld(now: { WallClock.seconds }, random: MockRandom(seed: seed))
    if let folder { world.files = folder.files }
    world.environment = context.environment
    world.hostName = context.environment["HOSTNAME"] ?? "localhost"
    var options = MockGateway.Options()
    options.allowsOrigins = allowsOrigins
    options.hosts = reachesOut ? nil : hosts
    options.version = version
    return MockGateway(
      StubLibrary(world), options: options, shutdown: { kill(getpid(), SIGTERM) },
      save: { stubs in folder.map { $0.save(stubs) } ?? "there is no folder of stubs" })
  }

  // MARK: Files

  private func read(_ folder: StubFolder, into gateway: MockGateway) throws {
    guard FileStatus(folder.path)?.kind == .folder else {
      throw Diagnostic("mock-stubs-missing", ["folder": folder.path], exit: .inputMissing)
    }
    do {
      try gateway.library.setDefaults(folder.stubs())
    } catch let problem as StubFolder.Problem {
      throw problem.diagnostic
    } catch let problem as StubProblem {
      throw StubFolder.Problem(file: folder.path, problem: problem).diagnostic
    }
  }

  private func watch(_ folder: StubFolder, _ gateway: MockGateway, _ terminal: Terminal) async {
    var stamp = folder.stamp
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      let now = folder.stamp
      guard now != stamp else { continue }
      stamp = now
      reread(folder, gateway, terminal)
    }
  }

  /// Takes over what has changed; where something is broken, the old stubs stay.
  private func reread(_ folder: StubFolder, _ gateway: MockGateway, _ terminal: Terminal) {
    do {
      try read(folder, into: gateway)
      gateway.trouble = nil
      terminal.note(
        StyledText(terminal.catalogue.text("text.mock-reloaded", ["count": "\(gateway.library.count)"]), .faint))
    } catch let problem as any DiagnosticConvertible {
      let diagnostic = problem.diagnostic
      gateway.trouble = terminal.catalogue.text("diagnostic.\(diagnostic.id.name)", diagnostic.values)
      terminal.warning(diagnostic)
    } catch {}
  }

  // MARK: Conditions

  /// Puts a proxy with the conditions of the profile before the server.
  private func conditions(before server: MockServer) async throws -> (collection: ProxyCollection, address: String)? {
    guard let profile else { return nil }
    let collection = ProxyCollection()
    let service = ControlService(collection, options: ControlService.Options(version: version))
    let added = try await collection.add(
      ProxyDefinition(name: "mock", kind: .tcp, listen: listen, upstream: "127.0.0.1:\(server.port)"))
    try await service.hold(profile, on: nil)
    return (collection, added.listen)
  }
}

/// The announcement of `mpaas gateway mock` when it is ready.
struct ServedMock: Presentable {
  let url: String
  let stubs: Int
  /// The file of the authority that its certificate is to be held against; nil without TLS.
  let ca: String?

  func document(_ catalogue: Catalogue) -> Document {
    let key = ca == nil ? "text.mock-serving" : "text.mock-serving-tls"
    return [.line(StyledText(catalogue.text(key, ["url": url, "count": "\(stubs)", "file": ca ?? ""])))]
  }
}

extension StubFolder.Problem: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let position = problem.position
    let place = Place.text(file: file, line: position.line, column: position.column)
    return Diagnostic(
      "mock-stub-malformed", ["pointer": problem.pointer.isEmpty ? "/" : problem.pointer, "reason": problem.detail],
      at: place, exit: .malformedInput)
  }
}

/// The file of the authority's certificate: of a chosen name, which stays, or of one that goes with the program.
struct MockAuthority {
  let file: String
  private let folder: String?

  init(_ authority: String, chosen: String?, in directories: Directories) throws {
    folder = chosen == nil ? try directories.temporary.makeFolder("gateway-mock") : nil
    file = chosen ?? (folder ?? "") + "/ca.pem"
    try Bytes(Array(authority.utf8)).write(to: file)
  }

  func remove() {
    if let folder { FileSystem.removeTree(folder) }
  }
}
