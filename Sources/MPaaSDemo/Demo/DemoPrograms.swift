import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard let found = (own + path).map({ $0 + "/orderbook" }).first(where: { access($0, X_OK) == 0 }) else {
      throw DemoError(.sampleMissing, ["places": own.joined(separator: ", ")])
    }
    mpaas = executable
    sample = FileSystem.resolved(found) ?? found
  }
}
