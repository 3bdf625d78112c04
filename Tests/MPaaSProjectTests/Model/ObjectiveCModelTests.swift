import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Models as Objective-C") struct ObjectiveCModelTests {
  @Test("dump") func dump() throws {
    let folder = "/work/wt/tmp/calls/objc"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in [("Library", try exampleScaffold()), ("Odds", Array(SwiftAPIWriterTests.sample.utf8))] {
      let set = try SwiftAPIWriter(Scaffold(bytes, file: "a"), file: "a", options: .init(name: name)).modelSet
      let writer = ObjectiveCModelWriter(set, .init(prefix: "LIB", file: name))
      try writer.header.write(toFile: folder + "/\(name).h", atomically: true, encoding: .utf8)
      try writer.implementation.write(toFile: folder + "/\(name).m", atomically: true, encoding: .utf8)
    }
  }
}
