import Foundation
import MPaaSDigests
import MPaaSModules
import MPaaSSupport

/// A program that tests run beside themselves, and kill: it adds modules to a store and places them in a project.
///
/// `StoreSubject STORE PROJECT add|loop|measure ARCHIVE…`; an archive's name is `NAME-VERSION.tar` or the like.
/// `StoreSubject STORE PROJECT serve METHOD SHA256…` places modules that are there, twice, and notes the project.
let arguments = CommandLine.arguments
let store = ModuleStore(folder: arguments[1])
let project = arguments[2]

func release(of path: String) throws -> ModuleRelease {
  let file = FileSystem.name(of: path)
  let word = file.split(separator: ".").dropLast().joined(separator: ".").split(separator: "-")
  guard word.count == 2, let version = ModuleVersion(String(word[1])) else {
    throw FileError.last(.open, path)
  }
  let bytes = try Bytes.mapping(path)
  return ModuleRelease(
    manifest: ModuleManifest(name: String(word[0]), version: version),
    archive: ModuleArchiveFile(
      name: file, size: UInt64(bytes.count), sha256: bytes.sha256.hexadecimal, unpackedSize: 1 << 40,
      fileCount: 100_000), released: 0)
}

/// The time that a clock shows of some work, and what this process computed meanwhile: `12.3 8.1`, in milliseconds.
func milliseconds(_ work: () async throws -> Void) async rethrows -> String {
  let start = ContinuousClock.now
  let before = clock()
  try await work()
  let elapsed = ContinuousClock.now - start
  let wall = Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) / 1e15
  return String(format: "%.1f %.1f", wall, Double(clock() - before) * 1e3 / Double(CLOCKS_PER_SEC))
}

let releases = arguments[3] == "serve" ? [] : try arguments.dropFirst(4).map { ($0, try release(of: $0)) }

switch arguments[3] {
case "add":
  for (path, release) in releases {
    var isUnpacked = false
    let module = try store.add(archive: path, as: release, progress: { _ in isUnpacked = true })
    print(module.name, module.version, isUnpacked ? "unpacked" : "there")
  }
case "loop":
  let methods: [PlaceMethod] = [.link, .copy, .shared]
  var round = Int.random(in: 0..<6)
  while true {
    let (path, release) = releases[round % releases.count]
    let module = try store.add(archive: path, as: release, again: round % 2 == 0)
    _ = try store.place(module, at: "\(project)/\(module.name)", by: methods[round % 3], force: true)
    // Away again, so that the next round begins from nothing.
    if round % 3 == 2 { _ = try store.collect(keeping: [], used: { (_) throws(ModuleError) in nil }) }
    round += 1
  }
case "serve":
  for round in 0..<2 {
    for sha256 in arguments.dropFirst(5) {
      guard let module = store.module(sha256: sha256), let method = PlaceMethod(rawValue: arguments[4]) else {
        exit(66)
      }
      let placement = try store.place(module, at: "\(project)/\(module.name)", by: method)
      if round > 0, placement.outcome != .unchanged { exit(70) }
    }
    try store.note(project: project)
  }
case "measure":
  print("add", try await milliseconds { for (path, release) in releases { try store.add(archive: path, as: release) } })
  var modules: [StoredModule] = []
  print("list", try await milliseconds { modules = try store.modules() })
  for method in [PlaceMethod.link, .copy, .shared] {
    let folder = "\(project)/\(method.rawValue)"
    func place() throws {
      for module in modules { try store.place(module, at: "\(folder)/\(module.name)", by: method) }
    }
    print(method.rawValue, try await milliseconds(place))
    print(
      "\(method.rawValue)_settle", await milliseconds { ModuleStore.settle(modules.map { "\(folder)/\($0.name)" }) })
    print("\(method.rawValue)_unchanged", try await milliseconds(place))
  }
  print("verify", try await milliseconds { _ = try await store.verify(mending: false) })
  print("collect", try await milliseconds { _ = try store.collect(used: { (_) throws(ModuleError) in nil }) })
default:
  print("add, loop or measure")
  exit(64)
}
