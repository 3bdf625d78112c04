import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The kit of created projects") struct KitPlaceTests {
  private static func kit(in folder: String) throws {
    try Directories.create(folder)
    try Bytes(Array("name: \"mpaaskit\"".utf8)).write(to: folder + "/Package.swift")
  }

  private static func located(by executable: String) throws -> String? {
    try Kit.locate(nil, environment: [:], executable: executable).path
  }

  @Test("is the one beside the program, or by way of the link to the version in use, which updates leave there")
  func installed() throws {
    let home = try TemporaryFolder()
    try Self.kit(in: home.path + "/alone/share/mpaas")
    #expect(try Self.located(by: home.path + "/alone/bin/mpaas") == home.path + "/alone/share/mpaas")
    try Self.kit(in: home.path + "/opt/versions/0.2.0/share/mpaas")
    let program = home.path + "/opt/versions/0.2.0/bin/mpaas"
    #expect(try Self.located(by: program) == home.path + "/opt/versions/0.2.0/share/mpaas")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/opt/current", withDestinationPath: "versions/0.2.0")
    #expect(try Self.located(by: program) == home.path + "/opt/current/share/mpaas")
  }
}
