import MPaaSSupport
import MPaaSToolSupport

/// The programs that the demo is made with, and that it puts at hand.
package struct DemoPrograms: Sendable, Equatable {
  /// The command itself, with links resolved.
  package let mpaas: String
  /// The sample app, which crashes on purpose.
  package let sample: String

  /// Finds the sample app beside the command, in `../lib/mpaas`, or on `PATH`.
  ///
  /// - Parameter executable: The path of the command with links resolved.
  /// - Throws: `DemoError` `demo-sample-missing`.
  package init(executable: String, environment: [String: String]) throws(DemoError) {
    let folder = FileSystem.folder(of: executable)
    let own = [folder, FileSystem.folder(of: folder) + "/lib/mpaas"]
    let places = ProgramPath(folders: own + ProgramPath(environment["PATH"]).folders)
    guard let found = places.file("orderbook") else {
      throw DemoError(.sampleMissing, ["places": own.joined(separator: ", ")])
    }
    mpaas = executable
    sample = FileSystem.resolved(found) ?? found
  }
}
