import ArgumentParser
import CommandKit
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

/// The options of what is read from a profile.
struct ProfileOptions: ParsableArguments {
  @Option(name: .customLong("from"), help: .text("command.perf.from"))
  var format: ProfileFormat?

  @Option(name: .long, help: .text("command.perf.type", valueName: "name"))
  var type: String?

  @Option(name: .long, help: .text("command.perf.thread", valueName: "name"))
  var thread: String?

  /// Reads a profile, and keeps what was asked for.
  ///
  /// - Throws: `FileError`, `ProfileError`; `Diagnostic` `profile-no-such-type`, `profile-no-such-thread`.
  func reading(_ path: String) throws -> Profile {
    let bytes = try Bytes.mapping(path)
    var profile = try withExtendedLifetime(bytes) {
      try Profile(reading: bytes.buffer, file: path, as: format)
    }
    if let type {
      guard let shown = profile.types.firstIndex(where: { $0.name == type }) else {
        let types = profile.types.map(\.name).joined(separator: ", ")
        throw Diagnostic("profile-no-such-type", ["file": path, "type": type, "types": types], exit: .usage)
      }
      profile.shown = shown
    }
    if let thread {
      let kept = profile.threads.filter { $0.name == thread || $0.title == thread || "\($0.id)" == thread }
      guard !kept.isEmpty else {
        throw Diagnostic("profile-no-such-thread", ["file": path, "thread": thread], exit: .usage)
      }
      profile.threads = kept
    }
    return profile
  }
}

extension ProfileFormat: ExpressibleByArgument {}
extension ProfileOutput: ExpressibleByArgument {}
