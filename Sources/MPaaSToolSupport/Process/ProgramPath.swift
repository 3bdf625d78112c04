#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folders that programs are looked for in, the first one first.
package struct ProgramPath: Sendable, Equatable {
  package let folders: [String]

  package init(folders: [String]) {
    self.folders = folders
  }

  /// The folders that a value of `PATH` lists; those of a system where it is not set.
  package init(_ value: String?) {
    self.init(folders: (value ?? "/usr/bin:/bin").split(separator: ":").map(String.init))
  }

  /// The folders that this program was started with.
  package static var current: ProgramPath { ProgramPath(getenv("PATH").map { String(cString: $0) }) }

  /// The path of a program that may be run; nil where no folder has it.
  package func file(_ program: String) -> String? {
    folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  package func has(_ program: String) -> Bool { file(program) != nil }
}
