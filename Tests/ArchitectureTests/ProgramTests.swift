import Foundation
import MPaaSTestSupport
import Testing

/// Holds the contents of the programs, by the package's manifest.
@Suite("The programs") struct ProgramTests {
  /// The dependencies of each target, products of other packages by their names.
  static func dependencies() throws -> [String: Set<String>] {
    let text = try String(contentsOf: Fixture.package.appending(path: "Package.swift"), encoding: .utf8)
    let products = Dictionary(
      text.matches(of: /let (\w+) = product\("(\w+)"/).map {
        (String($0.1), String($0.2))
      }, uniquingKeysWith: { $1 })
    let every = text.matches(of: /dependencies: \["CommandKit"([^\]]*)\] \+ dependencies \+ \[(\w+)\]/).first
    let common = try #require(every.map { "\"CommandKit\"\($0.1), \($0.2)" })
    var all: [String: Set<String>] = [:]
    // A target begins after four blanks; what comes before its dependencies names no other target.
    for block in text.split(separator: /\n {4}(?=\S)/) {
      let isCommands = block.hasPrefix("commands(")
      guard isCommands || block.hasPrefix(".target(") || block.hasPrefix(".executableTarget("),
        let name = block.firstMatch(of: /"([\w-]+)"/)?.1
      else { continue }
      let list = String(isCommands ? block : block.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? "")
      let words = Set((isCommands ? list + common : list).matches(of: /[\w-]+/).map { String($0.0) })
      all[isCommands ? "\(name)Commands" : String(name)] = Set(words.map { products[$0] ?? $0 })
    }
    return all
  }

  /// Everything that ends up in a program.
  static func closure(of program: String, _ dependencies: [String: Set<String>]) -> Set<String> {
    var found: Set<String> = []
    var waiting = [program]
    while let target = waiting.popLast() {
      for next in dependencies[target] ?? [] where found.insert(next).inserted { waiting.append(next) }
    }
    return found
  }

  @Test("the command holds nothing that serves: no SwiftNIO, no TLS of it, no web server")
  func light() throws {
    let all = try Self.dependencies()
    let light = Self.closure(of: "mpaas", all)
    #expect(
      light.isSuperset(of: ["CommandKit", "NetworkCommands", "MPaaSNetworkConditions", "MPaaSTransfer", "CCurl"]))
    let heavy = Self.closure(of: "mpaas-server", all)
    #expect(heavy.isSuperset(of: ["MPaaSServing", "MPaaSNetwork", "CMicroHTTP", "NIOSSL", "Hummingbird"]))
    let serving = light.filter { $0.hasPrefix("NIO") || $0.hasPrefix("Hummingbird") }
    #expect(serving == [])
    #expect(light.isDisjoint(with: ["CMicroHTTP", "MPaaSHTTPServer", "MPaaSNetwork", "MPaaSServer", "MPaaSServing"]))
    // Neither a parser nor commands: what is to be done comes as a value.
    let parsing = heavy.filter { $0.hasSuffix("Commands") || ["ArgumentParser", "CommandKit"].contains($0) }
    #expect(parsing == [])
    // Of configurations the property lists of builds alone are read; of modules what needs no key that signs.
    #expect(heavy.isDisjoint(with: ["MPaaSProject", "MPaaSModuleTools", "MPaaSScan", "MPaaSTrust", "MPaaSLogs"]))
  }

  @Test("whatever is served is performed in the second program")
  func performed() {
    func types(_ pattern: Regex<(Substring, Substring)>, with words: [String]) -> Set<String> {
      Set(
        PackageSource.all.filter { $0.has(words) }.flatMap { source in
          source.text.matches(of: pattern).map { String($0.1) }
        })
    }
    let served = types(/struct (\w+)(?:<.*>)?: ServedWork\b/, with: [": ServedWork"])
    #expect(served.count > 3)
    #expect(types(/extension (\w+): PerformedWork\b/, with: [": PerformedWork"]) == served)
    for source in PackageSource.all where source.has([": PerformedWork {"]) {
      #expect(source.file.hasPrefix("MPaaSServing/"), "\(source.file)")
    }
  }

  @Test("the programs end at once: `exit` runs handlers of libraries that other threads still use")
  func end() {
    let places = ["mpaas/", "mpaas-server/", "CommandKit/", "ServingKit/", "MPaaSServing/", "MPaaSTerminal/"]
    let sources = PackageSource.all.filter { source in places.contains { source.file.hasPrefix($0) } }
    #expect(sources.count > 50)
    for source in sources {
      for line in source.lines(with: ["exit("]) where line.contains(/(^|[^\w.`])exit\(/) {
        Issue.record("\(source.file): \(line)")
      }
    }
  }
}
