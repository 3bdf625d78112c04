import Foundation
import MPaaSModules
import MPaaSSupport
import Synchronization
import Testing

@Suite("A resolver with little time, and files that say two things") struct ResolverTimeTests {
  /// So many modules that all need a place of their own, and one place too few.
  private func pigeonhole(_ holes: Int) throws -> ResolverInput {
    var packages: [String: [String: [String: String]]] = [:]
    for hole in 1...holes {
      packages["hole\(hole)"] = Dictionary(uniqueKeysWithValues: (1...holes + 1).map { ("\($0).0.0", [:]) })
    }
    for pigeon in 1...holes + 1 {
      packages["pigeon\(pigeon)"] = Dictionary(
        uniqueKeysWithValues: (1...holes).map { ("\($0).0.0", ["hole\($0)": "==\(pigeon).0.0"]) })
    }
    let root = Dictionary(uniqueKeysWithValues: (1...holes + 1).map { ("pigeon\($0)", "*") })
    let data = try JSONSerialization.data(withJSONObject: ["root": root, "packages": packages])
    return try data.withUnsafeBytes { try ResolverFile(reading: $0, file: "pigeonhole").input }
  }

  /// A clock that goes on by a millisecond each time it is looked at.
  private final class Clock: Sendable {
    private let time = Mutex(0)
    var milliseconds: Int { time.withLock { $0 } }

    func isOver(after limit: Int) -> Bool {
      time.withLock { time in
        time += 1
        return time > limit
      }
    }
  }

  @Test("stops when the time is over, and says how far it came and what kept it", arguments: [0, 1, 50, 400])
  func stops(limit: Int) throws {
    var input = try pigeonhole(9)
    let clock = Clock()
    input.isOutOfTime = { clock.isOver(after: limit) }
    guard case .unknown(let search) = try ModuleResolver(input).resolve() else {
      Issue.record("pigeonhole 9 was resolved")
      return
    }
    #expect(search.contradictions == limit + 1)
    #expect(clock.milliseconds == limit + 1)
    // Nothing is known of modules before the first contradiction was looked into.
    #expect((limit == 0 ? 0...0 : 1...5).contains(search.contested.count))
    #expect(search.contested.allSatisfy { $0.hasPrefix("pigeon") || $0.hasPrefix("hole") })
  }

  @Test("knows that nothing fits even where no time is left to say why")
  func explains() throws {
    var input = try pigeonhole(4)
    let endless = Clock()
    input.isOutOfTime = { endless.isOver(after: .max) }
    _ = try conflict(input)
    let all = endless.milliseconds
    for limit in stride(from: 1, to: all, by: max(1, all / 40)) {
      let clock = Clock()
      input.isOutOfTime = { clock.isOver(after: limit) }
      switch try ModuleResolver(input).resolve() {
      case .solved: Issue.record("solved with \(limit)")
      case .unknown: #expect(limit < all)
      case .unsatisfiable(let conflict): #expect((1...8).contains(conflict.lines.count), "\(limit)")
      }
      // Once the time is over, what goes on asks only a few more times.
      #expect(clock.milliseconds < limit + 50, "\(limit): \(clock.milliseconds)")
    }
  }

  @Test("takes no notice of time that is left")
  func inTime() throws {
    var input = try resolverInput(#"{"root":{"a":"*"},"packages":{"a":{"1.0.0":{}}}}"#)
    input.isOutOfTime = { false }
    #expect(try resolve(input) == ["a": "1.0.0"])
  }

  @Test(
    "refuses a file in which a name stands twice, with the place of the second",
    arguments: [
      (#"{"root":{},"packages":{"a":{"1.0.0":{}},"b":{},"a":{"2.0.0":{}}}}"#, "a", 1, 48),
      (#"{"root":{"a":"*","a":"^2"},"packages":{}}"#, "a", 1, 18),
      ("{\"root\":{},\n \"packages\":{\"a\":{\"1.0.0\":{\"b\":\"*\",\n  \"\\u0062\":\"^1\"}}}}", "b", 3, 3),
      (#"{"root":{},"packages":{},"root":{}}"#, "root", 1, 26),
      ("{\"root\":{},\"packages\":{\"\u{e9}\":{},\"e\u{301}\":{}}}", "e\u{301}", 1, 32),
      (
        #"{"root":{},"packages":{"1":{},"2":{},"3":{},"4":{},"5":{},"6":{},"7":{},"8":{},"9":{},"10":{},"3":{}}}"#, "3",
        1, 95
      ),
    ])
  func twice(text: String, name: String, line: Int, column: Int) throws {
    let error = try #require(throws: ModuleError.self) { try resolverInput(text) }
    #expect(error.code == .resolverNameTwice)
    #expect(error.code.exit == .malformedInput)
    #expect(error.values["name"] == name)
    #expect(error.place == .text(file: "test", line: line, column: column))
  }

  @Test("refuses a version that stands twice in other spellings")
  func versions() throws {
    let error = try #require(throws: ModuleError.self) {
      try resolverInput(#"{"root":{},"packages":{"a":{"1.0":{},"1.0.0":{}}}}"#)
    }
    #expect(error.code == .resolverNameTwice)
  }
}
