import MPaaSJSON
import MPaaSSupport

/// A folder of stubs: `mappings` with their files, `__files` with bodies.
///
/// Without a folder `mappings`, the JSON files of the folder itself are the stubs.
package struct StubFolder: Sendable {
  /// The most bytes of a file of stubs.
  private static let longest = 64 << 20
  private static let deepest = 16
  private static let mostFiles = 100_000

  package let path: String

  package init(_ path: String) { self.path = path }

  private var mappings: String { FileStatus(path + "/mappings")?.kind == .folder ? path + "/mappings" : path }
  private var bodies: String { path + "/__files" }

  /// The reason why a folder's stubs cannot be taken: the file, the path of the fault in it, and what is wrong.
  package struct Problem: Error, Sendable {
    package let file: String
    package let problem: StubProblem

    package init(file: String, problem: StubProblem) {
      self.file = file
      self.problem = problem
    }
  }

  /// Reads all stubs, files in the order of their names.
  package func stubs() throws(Problem) -> [StubMapping] {
    var stubs: [StubMapping] = []
    for file in names(below: mappings).filter({ $0.hasSuffix(".json") }) {
      let path = mappings + "/" + file
      do throws(StubProblem) {
        guard let bytes = try? Bytes.reading(path, limit: Self.longest) else {
          throw StubProblem("", "the file cannot be read, or is larger than 64 MiB")
        }
        for (index, var stub) in try Self.stubs(bytes.array, file).enumerated() {
          if stub.id.isEmpty { stub.id = Self.id(of: file, index) }
          stubs.append(stub)
        }
      } catch { throw Problem(file: path, problem: error) }
    }
    return stubs
  }

  private static func stubs(_ bytes: [UInt8], _ file: String) throws(StubProblem) -> [StubMapping] {
    let source: JSONSource
    do throws(JSONSyntaxError) {
      source = try JSONSource(parsing: bytes, file: file, depth: JSONNode.greatestDepth)
    } catch { throw StubProblem("", "is no JSON: \(error.words)", at: error.position) }
    return try StubMapping.list(source.root)
  }

  /// An ID that is the same each time the file is read.
  private static func id(of file: String, _ index: Int) -> String {
    // FNV-1a, twice, over the name and the number: stable from one run to the next, which Hasher is not.
    func hash(_ start: UInt64) -> UInt64 {
      "\(file)#\(index)".utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return (digits(hash(0xcbf2_9ce4_8422_2325)) + digits(hash(0x8422_2325_cbf2_9ce4))).dashedUUID
  }

  /// Files below a folder by their paths there, sorted.
  private func names(below folder: String) -> [String] {
    var names: [String] = []
    var open: [(String, Int)] = [("", 0)]
    while let (inside, depth) = open.popLast() {
      guard let entries = try? FileSystem.entries(in: folder + (inside.isEmpty ? "" : "/" + inside)) else { continue }
      for entry in entries where !entry.name.hasPrefix(".") && names.count < Self.mostFiles {
        let name = inside.isEmpty ? entry.name : inside + "/" + entry.name
        switch entry.kind {
        case .file: names.append(name)
        case .folder where depth < Self.deepest && name != "__files": open.append((name, depth + 1))
        default: break
        }
      }
    }
    return names.sorted()
  }

  /// The state of all files of stubs: another text where one has changed.
  package var stamp: String {
    names(below: mappings).filter { $0.hasSuffix(".json") }.map { name in
      let status = FileStatus(mappings + "/" + name)
      return "\(name) \(status?.modifiedNanoseconds ?? 0) \(status?.size ?? 0)"
    }.joined(separator: "\n")
  }

  /// The bodies in files.
  package var files: MockFiles {
    let bodies = bodies
    return MockFiles(
      read: { name in
        guard MockFiles.isInside(name) else { return nil }
        return (try? Bytes.reading(bodies + "/" + name, limit: 64 << 20))?.array
      },
      names: { StubFolder(bodies).names(below: bodies) },
      write: { name, bytes in
        guard MockFiles.isInside(name) else { return false }
        let target = bodies + "/" + name
        do throws(FileError) {
          try Directories.create(FileSystem.folder(of: target))
          try Bytes(bytes).write(to: target)
          return true
        } catch { return false }
      },
      remove: { name in
        if MockFiles.isInside(name) { try? FileSystem.remove(bodies + "/" + name) }
      })
  }

  /// Writes stubs, each to a file of its own.
  package func save(_ stubs: [StubMapping]) -> String? {
    let folder = path + "/mappings"
    do throws(FileError) {
      try Directories.create(folder)
      for stub in stubs {
        let name = (stub.name ?? "stub").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(60)
        let text = stub.document.indented + "\n"
        try Bytes(Array(text.utf8)).write(to: "\(folder)/\(String(name))-\(stub.id).json")
      }
      return nil
    } catch { return "the stubs could not be written: \(error.diagnostic.id.name)" }
  }
}
