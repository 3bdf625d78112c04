import ArgumentParser
import CommandKit
import MPaaSSupport

extension CompletionKind {
  /// The servers of the user's configuration; what their files hold is not read, since tokens are in them.
  static var serverProfiles: CompletionKind {
    values { input in
      try FileSystem.names(in: input.directories.configuration + "/servers")
        .filter { $0.hasSuffix(".json") }.compactMap { PercentEncoding.decode(String($0.dropLast(5))) }
    }
  }
}
