import Foundation
import Testing

/// The registry that `scripts/example-registry` makes; needs python3 and a C compiler.
public enum ExampleRegistry {
  /// Made once for all tests of a run.
  private static let made: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      Fixture.package.appending(path: "scripts/example-registry").path, [folder.path + "/example"],
      environment: ["MPAAS": Command.mpaas.path])
    try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    return folder
  }

  /// The folder of the signed repository.
  public static func folder() throws -> String { try made.get().path + "/example/registry" }
}
