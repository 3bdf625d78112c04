import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A clone of the kit's repository that the running binary was built in.
struct SourceCheckout: Equatable {
  let root: String
  /// `debug` or `release`.
  let configuration: String

  /// Looks upwards from a binary under `.build` for our package and its repository.
  init?(containing executable: String) {
    let parts = executable.split(separator: "/")
    guard let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) else { return nil }
    root = "/" + parts[..<build].joined(separator: "/")
    configuration = parts.dropLast().last.map(String.init) == "release" ? "release" : "debug"
    guard access(root + "/.git", F_OK) == 0, access(root + "/Sources/mpaas", F_OK) == 0 else { return nil }
  }

  func update(_ context: Context, with processes: ProcessRunner) async throws -> KitUpdate {
    let before = try git(processes, "rev-parse", "--short", "HEAD")
    context.terminal.note(StyledText(context.catalogue.text("text.kitupdate-pulling", ["path": root]), .faint))
    _ = try git(processes, "pull", "--ff-only", "--quiet")
    let after = try git(processes, "rev-parse", "--short", "HEAD")
    context.terminal.note(StyledText(context.catalogue.text("text.kitupdate-building"), .faint))
    var arguments = [
      "build", "--package-path", root, "--product", "mpaas", "--configuration", configuration, "--quiet",
    ]
    if configuration == "release" { arguments.append("--static-swift-stdlib") }
    let build = try? processes.run(.init("swift", arguments, capturesOutput: true))
    guard let build, build.status == 0 else {
      throw Diagnostic(
        "kitupdate-build-failed", ["path": root, "command": "swift " + arguments.joined(separator: " ")],
        exit: .internalFault)
    }
    return KitUpdate(kind: before == after ? .current : .updated, path: root, before: before, after: after)
  }

  private func git(_ processes: ProcessRunner, _ arguments: String...) throws -> String {
    let outcome = try? processes.run(.init("git", ["-C", root] + arguments, capturesOutput: true))
    guard let outcome, outcome.status == 0 else {
      throw Diagnostic(
        "kitupdate-git-failed", ["path": root, "command": "git " + arguments.joined(separator: " ")],
        exit: .unreachable)
    }
    return outcome.output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
